"""How Pulumi logs in to a machine."""

from dataclasses import dataclass, field

import pulumi
from pulumi_command import remote

DIAL_SECONDS = 15
"""For one attempt to connect; a machine that is there answers within one."""


@dataclass(frozen=True, kw_only=True)
class Login:
    """Address, user and keys of one machine."""

    host: pulumi.Input[str]
    host_key: pulumi.Input[str]
    """Public key of its SSH server. Never left out: without it the connection would take any machine for this one."""
    user: str = "root"
    port: int = 22
    private_key: pulumi.Output[str] | None = field(default=None, repr=False)
    """None: the SSH agent's keys."""
    attempts: int = 20
    """Connections that may fail before giving up; the pause between them grows to 5 s."""


def connect(login: Login) -> remote.ConnectionArgs:
    """Return the connection as the provider takes it."""
    return remote.ConnectionArgs(
        host=login.host,
        port=login.port,
        user=login.user,
        host_key=login.host_key,
        private_key=login.private_key,
        dial_error_limit=login.attempts,
        per_dial_timeout=DIAL_SECONDS,
    )


def as_root(login: Login, command: str) -> str:
    """Return a command line that runs one program as root, with nobody there to type a password."""
    return command if login.user == "root" else f"sudo -n {command}"
