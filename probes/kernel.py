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
