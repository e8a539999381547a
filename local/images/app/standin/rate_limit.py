"""How often one client may call `/api/auth/…`: counted per process, per address and per path."""

from collections.abc import Callable

WINDOW = 10.0
"""Seconds."""
SIGN_CALLS = 3
OTHER_CALLS = 100
SHARED = "shared"


def client_of(forwarded_for: list[str]) -> str:
    """Return the address a call counts for.

    Only a single header with a single value is believed. Anything else, a missing header included,
    puts all users into one bucket: an edge must overwrite X-Forwarded-For, not append to it.
    """
    if len(forwarded_for) == 1 and "," not in forwarded_for[0] and forwarded_for[0].strip():
        return forwarded_for[0].strip()
    return SHARED


def calls_allowed(path: str) -> int:
    """Return how many calls of `path` one address has in a window."""
    return SIGN_CALLS if path.startswith(("/api/auth/sign-in", "/api/auth/sign-up")) else OTHER_CALLS


class RateLimit:
    """Counts calls; `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._windows: dict[tuple[str, str], tuple[float, int]] = {}
        self._warned = False

    def allows(self, client: str, path: str) -> bool:
        """Count one call; False means 429."""
        now = self._clock()
        started, calls = self._windows.get((client, path), (now, 0))
        if now - started >= WINDOW:
            started, calls = now, 0
        if calls >= calls_allowed(path):
            return False
        self._forget(now)
        self._windows[client, path] = (started, calls + 1)
        return True

    def first_warning(self, client: str) -> bool:
        """Return True once: when the first call without a usable address arrives."""
        if client != SHARED or self._warned:
            return False
        self._warned = True
        return True

    def _forget(self, now: float) -> None:
        """Drop windows that are over, so that invented addresses do not grow the table for ever."""
        if len(self._windows) > 10_000:  # noqa: PLR2004 -- entries; about 2 MB
            self._windows = {key: value for key, value in self._windows.items() if now - value[0] < WINDOW}
