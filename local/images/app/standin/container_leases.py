"""Whose a computer's screen is, as the headers for screen and screen lease say it."""

from dataclasses import dataclass

from .container_life import Owner


class LeaseError(Exception):
    """The screen is not the caller's: another one holds it, or a newer execution of the same run does."""


@dataclass(frozen=True)
class _Held:
    screen: str
    lease: str


class ScreenLeases:
    """The screens that are held; who asks first has it until the computer is stopped or removed."""

    def __init__(self) -> None:
        self._held: dict[Owner, _Held] = {}

    def claim(self, computer: Owner, screen: str, lease: str) -> None:
        """Take the screen for a lease `<run>:<fence>`; without one it stays as it is held.

        Raises:
            LeaseError: a higher fence of that run had it, or it is another screen than the computer's single one.

        """
        held = self._held.get(computer, _Held(screen, lease))
        if held.screen != screen:
            raise LeaseError(f"{held.screen} holds the only screen that a computer of the stand-in has, not {screen}")
        (run, fence), (holder, newest) = _parts(lease), _parts(held.lease)
        if run == holder and fence < newest:
            raise LeaseError("this computer's screen is owned by a newer execution")
        self._held[computer] = _Held(screen, lease or held.lease)

    def end(self, computer: Owner) -> None:
        """Forget who held the screen of a computer that has ended."""
        self._held.pop(computer, None)


def _parts(lease: str) -> tuple[str, int]:
    """Return run and fence; the run may hold colons, and a lease that names no fence has the lowest."""
    run, _, fence = lease.rpartition(":")
    return (run, int(fence)) if run and fence.isdecimal() else (lease, 0)
