"""Which kernel a computer really runs on, whatever its RuntimeClass is called."""

from typing import Literal

Runtime = Literal["gvisor", "runc"]

# gVisor writes its own boot messages into a virtual kernel log; the first line is fixed text.
# https://gvisor.dev/docs/user_guide/quick_start/docker/
_GVISOR_FIRST_LINE = "Starting gVisor"


def fault(runtime: Runtime, kernel_log: str) -> str | None:
    """Return what is wrong, or None when the kernel log of the computer is that of the runtime.

    `kernel_log` is what `dmesg` printed inside the computer, standard error included.
    """
    is_gvisor = _GVISOR_FIRST_LINE in kernel_log
    if runtime == "gvisor" and not is_gvisor:
        return (
            "the computer runs on the node's own kernel: the handler behind its RuntimeClass is not gVisor "
            f"(its kernel log has no {_GVISOR_FIRST_LINE!r}; it begins with {kernel_log[:80]!r})"
        )
    if runtime == "runc" and is_gvisor:
        return "the computer runs under gVisor although the settings say runc"
    return None


def release_fault(runtime: Runtime, inside: str, of_node: str) -> str | None:
    """Return what is wrong with the release that `uname -r` printed inside, beside the one that the node reports.

    Under runc both are the same kernel. gVisor's release is its own text and may be anything.
    """
    if runtime == "runc" and inside != of_node:
        return f"the computer's kernel is {inside} and its node's is {of_node}: what runs it is not runc"
    return None


def first_line(kernel_log: str) -> str:
    """Return the first line without its time, for a report; what `dmesg` complains about is a line too."""
    line = next(iter(kernel_log.strip().splitlines()), "nothing")
    return line.partition("] ")[2] if line.startswith("[") and "] " in line else line
