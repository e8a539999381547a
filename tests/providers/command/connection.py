"""How a program says that a machine is reached, with the real provider's defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import asyncssh

from tests.providers.refused import RefusedError
from tests.providers.values import Properties, Secret

DEFAULTS: Final[Properties] = {"user": "root", "port": 22, "dialErrorLimit": 10, "perDialTimeout": 15}
"""pulumi-command 1.2.1, connection.go; the SDK's Args class fills them in too, its dict form does not."""


@dataclass(frozen=True, kw_only=True)
class Connection:
    """One hop; `proxy` is the hop before it."""

    host: str
    port: int
    user: str
    dial_error_limit: int
    """Failed attempts that are followed by another; -1 for no end."""
    per_dial_timeout: int
    """Seconds until a TCP connection counts as failed, 0 for no end. The handshake after it has no limit."""
    private_key: str | None = field(default=None, repr=False)
    private_key_password: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    host_key: str | None = None
    """A line of authorized_keys; None means that any key will do, as the SDK documents."""
    agent_socket_path: str | None = None
    proxy: "Connection | None" = None

    @classmethod
    def of(cls, properties: Mapping[str, Any]) -> "Connection":
        """Read the properties of a `connection` or of its `proxy`."""
        given = {**DEFAULTS, **properties}
        return cls(
            host=given["host"],
            port=int(given["port"]),
            user=given["user"],
            dial_error_limit=given["dialErrorLimit"],
            per_dial_timeout=given["perDialTimeout"],
            private_key=given.get("privateKey"),
            private_key_password=given.get("privateKeyPassword"),
            password=given.get("password"),
            host_key=given.get("hostKey"),
            agent_socket_path=given.get("agentSocketPath"),
            proxy=cls.of(given["proxy"]) if "proxy" in given else None,
        )

    @property
    def endpoint(self) -> str:
        """Host and port, as errors name them."""
        return f"{self.host}:{self.port}"

    def options(self, agent: str | None) -> dict[str, Any]:
        """Return asyncssh's options; RefusedError when a key cannot be read, before anything is dialled.

        Nothing of the person who runs the tests is used: no configuration, no keys, and no agent but `agent`.
        """
        options: dict[str, Any] = {
            "config": [],
            "username": self.user,
            "client_keys": [self._key()] if self.private_key is not None else [],
            "agent_path": self.agent_socket_path or agent,
            "password": self.password,
            "gss_host": None,
            "known_hosts": None,
            "connect_timeout": None,
            "login_timeout": 0,
        }
        if self.host_key is not None:
            key = self._public_key(self.host_key)
            # Only the pinned key's own algorithm is offered, so that a machine with several keys shows that one.
            options["known_hosts"] = ([key], [], [], [], [], [], [])
            options["server_host_key_algs"] = [key.get_algorithm()]
        return options

    def _key(self) -> asyncssh.SSHKey:
        try:
            return asyncssh.import_private_key(self.private_key or "", self.private_key_password)
        except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError):
            raise RefusedError("connection.privateKey: ssh: no key found") from None

    @staticmethod
    def _public_key(line: str) -> asyncssh.SSHKey:
        try:
            return asyncssh.import_public_key(line)
        except asyncssh.KeyImportError:
            raise RefusedError("failed to parse host key: connection.hostKey: ssh: no key found") from None


def completed(connection: Any) -> Any:
    """Return a connection's inputs with the defaults, wrapped as they were; unknown ones stay unknown."""
    if isinstance(connection, Secret):
        return Secret(completed(connection.value))
    if not isinstance(connection, Mapping):
        return connection
    whole = {**DEFAULTS, **connection}
    return {**whole, "proxy": completed(whole["proxy"])} if "proxy" in whole else whole
