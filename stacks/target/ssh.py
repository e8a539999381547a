"""How the machines are logged in to."""

from typing import Annotated

from pydantic import Field

from stacks.base import Model


class SshSettings(Model):
    """The login. Its key is the secret `rakazo:ssh_private_key`, or the SSH agent's when that is not set."""

    user: Annotated[str, Field(pattern=r"^[a-z_][-a-z0-9_]{0,31}$")] = "root"
    """Who logs in; anybody but root needs sudo without a password."""
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    """Port of the SSH server."""
