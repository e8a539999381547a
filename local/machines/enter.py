"""Starts a program inside a machine so that it is a child of the machine's PID 1, and records it.

Run as `python -S -m local.machines.enter <order as JSON>`. Unlike nsenter, no process stays behind on the host, and
the recorded pid is the host's number of the program itself: the kernel translates the sender's pid when a message
with credentials crosses a pid namespace.
"""

import json
import os
import signal
import socket
import struct
import sys
from pathlib import Path
from typing import Any, NoReturn

from local.machines import namespaces
from local.machines.records import ProcessRecord

CREDENTIALS = struct.Struct("3i")  # pid, uid, gid as the kernel fills them in


def _become(order: dict[str, Any], link: socket.socket) -> NoReturn:
    """Report this process, wait until it is recorded, and become the program."""
    link.send(b"p")
    if link.recv(1) != b"y":
        os._exit(1)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.chdir("/")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.execvpe(order["command"][0], order["command"], order["environment"])  # noqa: S606 - no shell is wanted
    except OSError as error:
        link.send(str(error).encode())
        os._exit(127)


def _start_inside(order: dict[str, Any], link: socket.socket) -> NoReturn:
    """Join the machine and fork twice: the orphaned grandchild is adopted by the machine's PID 1, not by the host's."""
    namespaces.join(order["pid"])
    if (child := os.fork()) == 0:
        os.setsid()
        if os.fork() == 0:
            _become(order, link)
        os._exit(0)
    os.waitpid(child, 0)
    os._exit(0)


def main() -> int:
    """Start and record the program; 1 with the reason on stderr when it cannot be started."""
    order = json.loads(sys.argv[1])
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    if (helper := os.fork()) == 0:
        ours.close()
        try:
            _start_inside(order, theirs)
        except OSError as error:
            theirs.send(b"!" + str(error).encode())
        os._exit(1)
    theirs.close()
    os.waitpid(helper, 0)
    message, attached, _, _ = ours.recvmsg(4096, socket.CMSG_SPACE(CREDENTIALS.size))
    if message != b"p":
        sys.stderr.write(f"cannot enter machine {order['machine']}: {message[1:].decode() or 'it is gone'}\n")
        return 1
    pid, _, _ = CREDENTIALS.unpack(attached[0][2])
    ProcessRecord.of(pid, name=order["name"], machine=order["machine"], log=order["log"]).write(Path(order["record"]))
    ours.send(b"y")
    failure = ours.recv(4096)  # closed by a successful exec
    if failure:
        sys.stderr.write(f"cannot start {order['name']} on {order['machine']}: {failure.decode()}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
