"""Hetzner's own API over HTTP, as far as it lists what a project has: for programs that ask without a provider.

Paths, parameters, pagination and errors as in docs.hetzner.cloud; what it does not know it refuses.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.providers.hcloud.label_selector import matches
from tests.providers.hcloud.project import Project
from tests.providers.refused import RefusedError

KINDS: Mapping[str, str] = {
    "certificates": "certificate",
    "firewalls": "firewall",
    "floating_ips": "floating IP",
    "images": "image",
    "load_balancers": "load balancer",
    "networks": "network",
    "placement_groups": "placement group",
    "primary_ips": "primary IP",
    "servers": "server",
    "ssh_keys": "SSH key",
    "volumes": "volume",
}
"""Path to the project's name of the kind."""
MOST_PER_PAGE, PER_PAGE = 50, 25
CREATED = "2026-11-30T08:00:00+00:00"
UNPROTECTED = ("firewall", "placement group", "SSH key", "certificate")
"""Kinds that Hetzner protects from nothing."""


class ApiError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"code": code, "message": message, "details": None}}


@contextmanager
def hetzner_api(project: Project, token: str) -> Iterator[str]:
    """Serve the project on a loopback address for as long as the block runs; yields what to use as endpoint."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(project, token))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def listed(project: Project, path: str, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return one page of a list; ApiError for what Hetzner does not know."""
    name = path.removeprefix("/v1/")
    if name not in KINDS:
        raise ApiError(404, "not_found", "resource not found")
    unknown = set(asked) - {"label_selector", "page", "per_page"}
    page, size = (_number(asked, key, default) for key, default in (("page", 1), ("per_page", PER_PAGE)))
    if unknown or page < 1 or not 1 <= size <= MOST_PER_PAGE:
        raise ApiError(422, "invalid_input", "invalid input in fields: " + ", ".join(sorted(unknown) or ["per_page"]))
    kind = KINDS[name]
    try:
        with project.lock:
            found = [
                _told(kind, identifier, thing)
                for identifier, thing in project.all(kind).items()
                if matches(asked.get("label_selector", ""), thing.get("labels", {}))
            ]
    except RefusedError as error:
        raise ApiError(422, "invalid_input", str(error)) from error
    last = max(1, -(-len(found) // size))
    pagination = {
        "page": page,
        "per_page": size,
        "previous_page": page - 1 if page > 1 else None,
        "next_page": page + 1 if page < last else None,
        "last_page": last,
        "total_entries": len(found),
    }
    return {name: found[(page - 1) * size : page * size], "meta": {"pagination": pagination}}


def _authenticated(header: str | None, token: str) -> None:
    if header != f"Bearer {token}":
        raise ApiError(401, "unauthorized", "unable to authenticate")


def _number(asked: Mapping[str, str], key: str, default: int) -> int:
    text = asked.get(key, str(default))
    return int(text) if text.isdigit() else 0


def _told(kind: str, identifier: str, thing: Mapping[str, Any]) -> dict[str, Any]:
    """Return what every kind has; a snapshot has a description in the place of a name."""
    protection = {} if kind in UNPROTECTED else {"protection": {"delete": bool(thing.get("deleteProtection"))}}
    return {
        "id": int(identifier),
        "name": thing.get("name"),
        "description": thing.get("description"),
        "labels": dict(thing.get("labels", {})),
        "created": CREATED,
        **protection,
    }


def _handler(project: Project, token: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            try:
                _authenticated(self.headers.get("Authorization"), token)
                self._answer(200, listed(project, asked.path, dict(parse_qsl(asked.query, keep_blank_values=True))))
            except ApiError as error:
                self._answer(error.status, error.body)

        def _answer(self, status: int, body: Mapping[str, Any]) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler
