"""What a node asks a server of the cluster that it joins or is of."""

import asyncio
import secrets
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.k3s.program import journal
from tests.k3s.program.children import Children
from tests.k3s.program.http_client import Answer, Client, believing
from tests.k3s.program.join_token import Token
from tests.k3s.program.paths import NODE_PASSWORD, write
from tests.k3s.program.refusal import Refusal

PAUSE_SECONDS = 1.0
DEFINITE = (400, 401, 403, 404)
"""Statuses that asking again does not change."""


def join_address(url: str) -> str:
    """Return host:port of the URL in `server`; Refusal when it is none."""
    place = urlsplit(url)
    if place.scheme != "https" or not place.hostname:
        raise Refusal(f"server: {url} is no address such as https://10.0.1.11:6443")
    return f"{place.hostname}:{place.port or 6443}"


class Supervisor:
    """A server, trusted only after its authority is the one that the token names."""

    def __init__(self, address: str, token: Token, user: str, children: Children) -> None:
        """Prepare; nothing is asked. `user` is who a short token speaks for."""
        self._base = f"https://{address}"
        self._token = token
        self._user = user
        self._children = children
        self._authority = ""

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask until the server answers; Refusal when the answer is definite, such as a wrong token's."""
        while True:
            try:
                return await asyncio.to_thread(self._ask, method, path, body)
            except Answer as answer:
                if answer.status in DEFINITE:
                    raise Refusal(f"{self._base}{path}: {answer.status}: {answer.text.strip()}") from answer
                reason = str(answer)
            except OSError as error:
                reason = str(error)
            if self._children.failed.done():
                raise Refusal(self._children.failed.result())
            journal.info(f"Waiting for {self._base}: {reason}")
            await asyncio.sleep(PAUSE_SECONDS)

    def _ask(self, method: str, path: str, body: Any) -> Any:
        if not self._authority:
            authority = Client(self._base, believing()).text("GET", "/cacerts")
            self._token.check(authority)
            self._authority = authority
        context = ssl.create_default_context(cadata=self._authority)
        headers = {"Authorization": self._token.header(self._user)}
        return Client(self._base, context, headers).json(method, path, body)


def node_password() -> str:
    """Return what this machine proves with that it is the node that it was; made at the first start."""
    if not NODE_PASSWORD.exists():
        write(NODE_PASSWORD, secrets.token_hex(16) + "\n")
    return NODE_PASSWORD.read_text(encoding="utf-8").strip()


def save(files: dict[str, str], folder: Path) -> None:
    """Save a node's credentials, readable by root only."""
    for name, content in files.items():
        write(folder / name, content)
