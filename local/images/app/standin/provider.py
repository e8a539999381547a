"""What api and worker need of whoever runs computers; the two providers are told apart nowhere else."""

from dataclasses import dataclass
from typing import Protocol


class ProviderError(Exception):
    """The provider said no; `status` is its HTTP status, 0 when it was not reached."""

    provider = ""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class ComputerError(Exception):
    """The computer was reached and could not do it."""


@dataclass(frozen=True)
class Execution:
    """What one command in a computer left behind."""

    exit_code: int
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a computer runs, as its provider describes it."""

    address: str
    """What web dials; empty while the computer is on no network."""
    image: str
    phase: str | None = "Running"
    node: str | None = None
    runtime_class: str | None = None


@dataclass(frozen=True, kw_only=True)
class Started:
    """A running computer."""

    place: Place
    created: bool
    """Whether this call made it; screens of an earlier one end then."""
    restored: bool
    """Whether a home that was there before is in the new one."""


class Provider(Protocol):
    """Runs computers by their names. Everything may raise ProviderError."""

    kind: str
    """As SANDBOX_PROVIDER says it, and /health."""

    async def start(self, name: str) -> Started:
        """Return the computer, made and with its home when none runs."""
        ...

    async def find(self, name: str) -> Place | None:
        """Return where the computer runs; None when it does not."""
        ...

    async def end(self, name: str) -> None:
        """Remove the computer; it is gone when this returns. One that is gone already is tolerated."""
        ...

    async def execute(self, name: str, command: list[str]) -> Execution:
        """Run a command in the computer."""
        ...

    async def write(self, name: str, path: str, content: bytes) -> None:
        """Write a file below the computer's home; ComputerError when the computer cannot."""
        ...

    async def read(self, name: str, path: str) -> bytes:
        """Return a file below the computer's home; FileNotFoundError when there is none."""
        ...

    async def save(self, name: str) -> int:
        """Save the computer's home and return how many files it has."""
        ...

    async def control_token(self, name: str) -> str:
        """Return a token that the gateway of the computer's screen lets through; ComputerError when it has none."""
        ...

    async def dial(self, place: Place) -> dict[str, bool]:
        """Tell which screen ports whoever has to reach them reaches, by port."""
        ...
