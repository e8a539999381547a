"""The Pulumi stack `local` on an embedded cluster: its folder, environment, stack file and secrets."""

from local.stack.environment import environment
from local.stack.folder import StackFolder

__all__ = ["StackFolder", "environment"]
