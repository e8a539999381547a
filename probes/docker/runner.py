"""Somebody who runs commands on the machine that Docker runs on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from probes.prober import ProbeError


class MachineError(ProbeError):
    """The machine is not reached, or a command on it did not end; the message says which and why."""


@dataclass(frozen=True, kw_only=True)
class Did:
    """What a command on the machine printed and how it ended."""

    exit_code: int
    output: str
    errors: str


class Runner(Protocol):
    """Somebody who runs commands on the machine as root."""

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        """Run a command to its end; MachineError when it takes longer than `seconds`.

        One that is urgent waits for no other one; there may be one of them at a time.
        """
