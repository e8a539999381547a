"""What a server answers to other nodes and to its own command line, beside the Kubernetes API on the same port."""

import dataclasses
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from tests.k3s.program import join_token, journal, node_registry
from tests.k3s.program.etcd import Etcd
from tests.k3s.program.http_client import Answer
from tests.k3s.program.join_token import Token
from tests.k3s.program.kube import Kube
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.server_files import ServerFiles
from tests.k3s.program.settings import ServerSettings

PREFIX = "/v1-k3s/"
OWN = ("/ping", "/cacerts", "/db/info")
"""What is the supervisor's beside everything below PREFIX."""


@dataclass(frozen=True)
class Request:
    """One request to the supervisor."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class State:
    """What the answers depend on; it changes while the server starts and when its token does."""

    files: ServerFiles
    settings: ServerSettings
    token: Token
    rotated: Callable[[Token], None]
    """Called when the token has become another one."""
    store: Etcd | None = None
    has_members: bool = False
    """Whether the store is embedded etcd, which other servers can join."""
    api: Kube | None = None
    """None until the API answers."""


class SupervisorApi:
    """Answers requests one by one; each runs in a thread of its own."""

    def __init__(self, state: State) -> None:
        """Keep the state, which others change."""
        self._state = state

    def answer(self, request: Request) -> tuple[int, str]:
        """Return status and text."""
        if request.path in ("/ping", "/cacerts"):
            return HTTPStatus.OK, "pong" if request.path == "/ping" else self._state.files.server_ca
        routes: dict[str, tuple[bool, Callable[[Request], Any]]] = {
            "/v1-k3s/config": (False, self._config),
            "/v1-k3s/node": (False, self._node),
            "/v1-k3s/server-bootstrap": (True, self._bootstrap),
            "/v1-k3s/token": (True, self._rotate),
            "/db/info": (True, self._members),
        }
        if request.path not in routes:
            return HTTPStatus.NOT_FOUND, "not found"
        for_servers, handler = routes[request.path]
        if not self._allowed(request, for_servers=for_servers):
            return HTTPStatus.UNAUTHORIZED, "not authorized"
        try:
            return HTTPStatus.OK, json.dumps(handler(request))
        except node_registry.Rejected as error:
            return HTTPStatus.FORBIDDEN, error.text
        except (Answer, OSError, Refusal) as error:
            journal.warn(f"{request.method} {request.path}: {error}")
            return HTTPStatus.SERVICE_UNAVAILABLE, str(error)

    def _allowed(self, request: Request, *, for_servers: bool) -> bool:
        user, password = join_token.credentials(request.headers.get("authorization", ""))
        server = self._state.token.password
        if hmac.compare_digest(password, server):
            return True
        agent = Token.parse(self._state.settings.agent_token).password
        return not for_servers and user == join_token.NODE_USER and bool(agent) and hmac.compare_digest(password, agent)

    def _config(self, _: Request) -> Any:
        settings = self._state.settings
        cluster = dataclasses.asdict(settings.cluster)
        return {"cluster": cluster, "node_ports": settings.node_ports, "identical": dict(settings.identical)}

    def _ready_api(self) -> Kube:
        if self._state.api is None:
            raise Refusal("starting: the API does not answer yet")
        return self._state.api

    def _node(self, request: Request) -> Any:
        asked = json.loads(request.body)
        node_registry.admit(self._ready_api(), asked["name"], asked["password"])
        return node_registry.credentials(self._state.files, asked["name"], asked["addresses"], asked["api_url"])

    def _bootstrap(self, _: Request) -> Any:
        if not self._state.has_members:
            raise Refusal("this server has no embedded etcd: only one that was started with cluster-init can be joined")
        return self._state.files.bundle()

    def _members(self, _: Request) -> Any:
        if self._state.store is None or not self._state.has_members:
            raise Refusal("starting: etcd does not answer yet")
        return [dataclasses.asdict(member) for member in self._state.store.members()]

    def _rotate(self, request: Request) -> Any:
        new = Token(json.loads(request.body)["newToken"])
        self._state.rotated(new)
        self._state.token = new
        return {}
