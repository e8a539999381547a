"""The two ways in which a provider says no."""

from collections.abc import Mapping
from typing import Any


class RefusedError(Exception):
    """Nothing was done; the message is what the operator reads."""


class UnfinishedError(Exception):
    """The resource exists and is not what was asked for: the engine keeps it and updates it with the next run."""

    def __init__(self, reason: str, *, resource_id: str, outputs: Mapping[str, Any]) -> None:
        super().__init__(reason)
        self.resource_id = resource_id
        self.outputs = outputs


class MissingConfigurationError(Exception):
    """The provider's configuration lacks a key; the CLI prints the command that sets it."""

    def __init__(self, key: str, description: str) -> None:
        super().__init__(f"{key}: {description}")
        self.key = key
        """With its package, such as `hcloud:token`."""
        self.description = description
