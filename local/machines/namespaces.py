"""The system calls for namespaces that Python 3.11 does not wrap: unshare, setns and mount."""

import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MS_SHARED = 1 << 20

# The order in which a process can join them: the mount namespace last, because the others are opened through /proc.
KINDS = {
    "net": CLONE_NEWNET,
    "uts": CLONE_NEWUTS,
    "ipc": CLONE_NEWIPC,
    "pid": CLONE_NEWPID,
    "mnt": CLONE_NEWNS,
}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p)


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare_everything() -> None:
    """Give this process new namespaces of every kind; its next child becomes PID 1 of the pid namespace."""
    flags = 0
    for flag in KINDS.values():
        flags |= flag
    _checked(_libc.unshare(flags), "unshare of the machine's namespaces")


def join(pid: int, kinds: tuple[str, ...] = tuple(KINDS)) -> None:
    """Move this process into the namespaces of `pid`; for the pid namespace only its later children are moved.

    Raises OSError when the process is gone or this one lacks CAP_SYS_ADMIN.
    """
    opened = [(kind, os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY | os.O_CLOEXEC)) for kind in kinds]
    for kind, descriptor in opened:
        enter(descriptor, kind)
        os.close(descriptor)


def enter(descriptor: int, kind: str) -> None:
    """Move this thread into the namespace that the descriptor names; raises OSError without CAP_SYS_ADMIN."""
    _checked(_libc.setns(descriptor, KINDS[kind]), f"joining a {kind} namespace")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount in this process' mount namespace; raises OSError naming both ends."""
    result = _libc.mount(source.encode(), target.encode(), kind.encode(), flags, options.encode())
    _checked(result, f"mount of {source} ({kind or 'bind'}) on {target}")
