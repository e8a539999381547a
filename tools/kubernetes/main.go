// Command kubernetes holds the five Kubernetes programs of a node in one
// binary, because they share almost all of their code: one build and one link
// instead of five.
//
// The program is chosen by the name it is called by (a link such as
// kube-apiserver) or, called by any other name, by its first argument.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	_ "time/tzdata" // for the time zones of CronJobs

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var programs = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-proxy":              proxy.NewProxyCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
}

func main() {
	if create, known := programs[filepath.Base(os.Args[0])]; known {
		os.Exit(cli.Run(create()))
	}
	if len(os.Args) > 1 {
		if create, known := programs[os.Args[1]]; known {
			// cobra and the flag packages read os.Args themselves.
			os.Args = os.Args[1:]
			os.Exit(cli.Run(create()))
		}
	}
	fmt.Fprintf(os.Stderr, "usage: %s PROGRAM [FLAGS], PROGRAM being one of %s\n",
		filepath.Base(os.Args[0]), strings.Join(names(), ", "))
	os.Exit(2)
}

func names() []string {
	sorted := make([]string, 0, len(programs))
	for name := range programs {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	return sorted
}
