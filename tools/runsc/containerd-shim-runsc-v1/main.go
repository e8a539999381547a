// Command containerd-shim-runsc-v1 runs gVisor pods for containerd. It is the
// stock shim with one thing left out: an oom_score_adj of -999 for the shim's
// own process. Lowering a score needs CAP_SYS_RESOURCE, which a container or a
// CI machine lacks, and the stock shim refuses to start a pod without it.
//
// The call cannot be switched off and its package keeps the service private,
// so the service is embedded and StartShim alone is written anew.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"

	"github.com/containerd/containerd/namespaces"
	"github.com/containerd/containerd/runtime/v2/shim"
	runsc "gvisor.dev/gvisor/pkg/shim/v1"
)

// runtimeID is the handler's name in containerd's configuration. containerd
// derives this binary's name from it.
const runtimeID = "io.containerd.runsc.v1"

// addressFile is read back by runsc.New and by containerd, relative to the
// bundle directory that is the shim's working directory.
const addressFile = "address"

const pidFile = "shim.pid"

func main() {
	shim.Run(runtimeID, newService)
}

type service struct {
	shim.Shim
	debug bool
}

func newService(ctx context.Context, id string, publisher shim.Publisher, cancel func()) (shim.Shim, error) {
	stock, err := runsc.New(ctx, id, publisher, cancel)
	if err != nil {
		return nil, err
	}
	options, _ := ctx.Value(shim.OptsKey{}).(shim.Opts)
	return &service{Shim: stock, debug: options.Debug}, nil
}

// StartShim starts the process that serves one container and returns the address of
// its socket. The socket is made here and inherited, so that containerd can
// connect at once.
func (s *service) StartShim(ctx context.Context, opts shim.StartOpts) (string, error) {
	address, err := shim.SocketAddress(ctx, opts.Address, opts.ID)
	if err != nil {
		return "", err
	}
	if shim.CanConnect(address) {
		// The call was repeated and the first one's process is alive.
		return address, shim.WriteAddress(addressFile, address)
	}
	socket, err := listen(address)
	if err != nil {
		return "", err
	}
	pid, err := s.serve(ctx, opts, socket)
	if err == nil {
		err = shim.WriteAddress(addressFile, address)
	}
	if err != nil {
		if pid != 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = socket.Close()
		_ = shim.RemoveSocket(address)
		return "", err
	}
	return address, nil
}

// listen replaces a socket that a killed shim left behind.
func listen(address string) (*net.UnixListener, error) {
	socket, err := shim.NewSocket(address)
	if err == nil || !shim.SocketEaddrinuse(err) {
		return socket, err
	}
	if err := shim.RemoveSocket(address); err != nil {
		return nil, fmt.Errorf("remove the stale socket %s: %w", address, err)
	}
	return shim.NewSocket(address)
}

// serve returns the started process id, also along with an error.
func (s *service) serve(ctx context.Context, opts shim.StartOpts, socket *net.UnixListener) (int, error) {
	command, err := s.command(ctx, opts)
	if err != nil {
		return 0, err
	}
	file, err := socket.File()
	if err != nil {
		return 0, err
	}
	defer file.Close()
	command.ExtraFiles = append(command.ExtraFiles, file)
	if err := command.Start(); err != nil {
		return 0, err
	}
	// Reaps the child if it ends before this short-lived process does.
	go func() { _ = command.Wait() }()
	return command.Process.Pid, shim.WritePidFile(pidFile, command.Process.Pid)
}

func (s *service) command(ctx context.Context, opts shim.StartOpts) (*exec.Cmd, error) {
	namespace, err := namespaces.NamespaceRequired(ctx)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	directory, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	arguments := []string{"-namespace", namespace, "-address", opts.Address, "-publish-binary", opts.ContainerdBinary}
	if s.debug {
		arguments = append(arguments, "-debug")
	}
	command := exec.Command(self, arguments...)
	command.Dir = directory
	// As the stock shim: by default each would have a thread per core.
	command.Env = append(os.Environ(), "GOMAXPROCS=2")
	// Its own group: a signal to containerd's group must not end the container.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return command, nil
}
