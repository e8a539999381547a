"""HTTPS with the cluster's own authorities, for everything that nodes ask each other."""

import base64
import hashlib
import http.client
import json
import ssl
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TIMEOUT_SECONDS = 10.0


class Answer(Exception):  # noqa: N818 - it is an answer, though not the wanted one
    """An answer other than success, with its status and text."""

    def __init__(self, status: int, text: str) -> None:
        """Keep both."""
        super().__init__(f"{status} {text.strip()[:500]}")
        self.status = status
        self.text = text


@dataclass(frozen=True)
class Client:
    """One server, by its base address."""

    base: str
    context: ssl.SSLContext
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_seconds: float = TIMEOUT_SECONDS

    def open(
        self, method: str, path: str, body: Any = None, kind: str = "application/json"
    ) -> tuple[http.client.HTTPSConnection, http.client.HTTPResponse]:
        """Begin a request and return connection and response; Answer for any status that is no success."""
        place = urllib.parse.urlsplit(self.base)
        connection = http.client.HTTPSConnection(
            place.hostname or "", place.port or 443, timeout=self.timeout_seconds, context=self.context
        )
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {**self.headers, **({"Content-Type": kind} if text else {})})
            response = connection.getresponse()
            refused = None if response.status < http.client.BAD_REQUEST else response.read().decode(errors="replace")
        except (http.client.HTTPException, OSError) as error:
            connection.close()
            raise ConnectionError(f"{method} {self.base}{path}: {error!r}") from error
        if refused is not None:
            connection.close()
            raise Answer(response.status, refused)
        return connection, response

    def text(self, method: str, path: str, body: Any = None, kind: str = "application/json") -> str:
        """Make a request and return the answer's text; Answer or OSError when it fails."""
        connection, response = self.open(method, path, body, kind)
        try:
            return response.read().decode()
        except http.client.HTTPException as error:
            raise ConnectionError(f"{method} {self.base}{path}: {error!r}") from error
        finally:
            connection.close()

    def json(self, method: str, path: str, body: Any = None, kind: str = "application/json") -> Any:
        """Make a request and return the answer's content."""
        text = self.text(method, path, body, kind)
        return json.loads(text) if text else None

    def lines(self, method: str, path: str, body: Any = None) -> Iterator[Any]:
        """Make a request whose answer is one JSON document a line, and yield them as they come."""
        connection, response = self.open(method, path, body)
        try:
            for line in response:
                if line.strip():
                    yield json.loads(line)
        except http.client.HTTPException as error:
            raise ConnectionError(f"{method} {self.base}{path}: {error!r}") from error
        finally:
            connection.close()


def verifying(authority: Path, client: Path | None = None) -> ssl.SSLContext:
    """Return a context that believes one authority and shows <client>.crt with <client>.key."""
    context = ssl.create_default_context(cafile=str(authority))
    if client is not None:
        context.load_cert_chain(client.with_suffix(".crt"), client.with_suffix(".key"))
    return context


def believing() -> ssl.SSLContext:
    """Return a context that believes everybody: only for fetching an authority that is checked afterwards."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def basic(user: str, password: str) -> dict[str, str]:
    """Return the header that names a user."""
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def digest(text: str) -> str:
    """Return a short name for a text that does not betray it."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
