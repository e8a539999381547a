"""One request of the engine, as a resource type sees it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from tests.providers.refused import RefusedError

Severity = Literal["debug", "info", "warning", "error"]


class CancelledCallError(RefusedError):
    """The operator interrupted the deployment, or the CLI is gone."""

    def __init__(self) -> None:
        super().__init__("interrupted")


@dataclass(frozen=True, kw_only=True)
class Call:
    """Who asks, and how to speak to the operator meanwhile."""

    urn: str
    name: str
    """The resource's name in the program."""
    preview: bool
    limit: float = 0.0
    """Seconds that the program gives it; 0: what the provider gives itself."""
    tell: Callable[[Severity, str, bool], None] = field(default=lambda _severity, _text, _passing: None)
    """Shows a line at the resource; the flag says that it is passing, for the progress display only."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    """The operator interrupted the deployment, or its time limit for this resource is over."""
    gone: threading.Event = field(default_factory=threading.Event)
    """The CLI is gone, and with it a real provider's process would be."""

    def wait(self, seconds: float) -> None:
        """Wait; CancelledCallError as soon as the deployment is interrupted."""
        if self.cancelled.wait(seconds) or self.gone.is_set():
            raise CancelledCallError
