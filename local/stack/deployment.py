"""Rakazo on an embedded cluster: the stack file, its secrets, and `pulumi up`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from local.stack.folder import StackFolder
from local.stack.pulumi import STACK, Outcome, Pulumi
from local.stack.stack_file import complete


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """One stack on one embedded cluster."""

    folder: StackFolder
    images: Mapping[str, str]
    """Key of `settings.images` to reference with digest."""
    port: int
    """The way in on the host's loopback, which is the port of the application's public address."""
    secrets: Mapping[str, str] = field(repr=False)
    """Configuration key to generated value; used only where the stack has none yet."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Dotted key path below the settings to new value."""
    stack: str = STACK

    def prepare(self) -> Pulumi:
        """Write the stack file, create the stack and its secrets; return the CLI on it."""
        complete(self.folder, self.images, self.port, self.changes)
        pulumi = Pulumi(self.folder, self.stack)
        pulumi.ensure_stack()
        pulumi.ensure_secrets(dict(self.secrets))
        return pulumi

    def up(self, *, quiet: bool = True) -> Outcome:
        """Bring the stack up."""
        return self.prepare().run("up", "--yes", "--skip-preview", "--suppress-progress", quiet=quiet)
