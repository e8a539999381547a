"""The one error of this package."""

from local.failure import LocalError


class ToolchainError(LocalError):
    """A program cannot be built or found; the message says what is wrong, the limit and what to do."""
