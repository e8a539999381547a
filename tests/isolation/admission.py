"""Waiting for what admission answers."""

import time
from collections.abc import Callable
from typing import Any

GROUP = ("admissionregistration.k8s.io", "v1")
REFUSED = 403
SECONDS = 20.0
"""The API server's own copies of policies, bindings and labels follow a change within about a second."""


def eventually(look: Callable[[], object], wanted: Callable[[Any], bool]) -> None:
    """Look until the wanted is seen; AssertionError with what was seen last."""
    deadline = time.monotonic() + SECONDS
    while True:
        seen = look()
        if wanted(seen):
            return
        assert time.monotonic() < deadline, f"after {SECONDS:.0f} s still {seen}"
        time.sleep(0.2)
