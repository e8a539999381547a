"""Which kernel a computer really runs on, whatever its RuntimeClass is called."""

import re
from dataclasses import dataclass
from typing import Literal

Runtime = Literal["gvisor", "kata", "runc"]

# gVisor writes its own boot messages into a virtual kernel log; the first line is fixed text.
# https://gvisor.dev/docs/user_guide/quick_start/docker/
_GVISOR_FIRST_LINE = "Starting gVisor"

_BOOT_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BOOT_ID = "/proc/sys/kernel/random/boot_id"
"""Another one for each start of a kernel; all containers on one kernel read the same."""


@dataclass(frozen=True, kw_only=True)
class NodeKernel:
    """What a node says of its kernel."""

    release: str
    """As `uname -r` prints it."""
    boot: str
    """Its boot id."""


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
    if runtime != "gvisor" and is_gvisor:
        return f"the computer runs under gVisor although the settings say {runtime}"
    return None


def release_fault(runtime: Runtime, inside: str, of_node: str) -> str | None:
    """Return what is wrong with the release that `uname -r` printed inside, beside the one that the node reports.

    Under runc both are the same kernel; a virtual machine brings one of its own. gVisor's release is its own text
    and may be anything.
    """
    if runtime == "runc" and inside != of_node:
        return f"the computer's kernel is {inside} and its node's is {of_node}: what runs it is not runc"
    if runtime == "kata" and inside == of_node:
        return f"the computer's kernel is {inside}, and so is its node's: nothing shows a virtual machine between them"
    return None


def boot_fault(inside: str, of_node: str) -> str | None:
    """Return what is wrong when a computer that is to have a kernel of its own says this boot id.

    A release can be the same by chance and a name is chosen by whoever built the kernel; the boot id is neither.
    """
    if inside == of_node:
        return "the computer runs on its node's own kernel: both have the same boot id, so there is no virtual machine"
    if not _BOOT_ID.fullmatch(inside):
        return f"the computer's kernel tells no boot id ({inside[:80]!r}), so nothing shows that it is one of its own"
    return None


def first_line(kernel_log: str) -> str:
    """Return the first line without its time, for a report; what `dmesg` complains about is a line too."""
    line = next(iter(kernel_log.strip().splitlines()), "nothing")
    return line.partition("] ")[2] if line.startswith("[") and "] " in line else line
