"""Who may ask a server of the stand-in for k3s what, and an agent's way to several servers."""

import asyncio
import contextlib
import json
import socket
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from tests.k3s.program.balancer import Balancer
from tests.k3s.program.http_client import basic
from tests.k3s.program.join_token import Token
from tests.k3s.program.paths import Layout
from tests.k3s.program.server_files import ServerFiles
from tests.k3s.program.settings import server_settings
from tests.k3s.program.supervisor_api import Request, State, SupervisorApi

SERVER, AGENT = "of the servers", "of the agents"


@pytest.fixture
def state(tmp_path: Path) -> State:
    files = ServerFiles(Layout(tmp_path))
    files.make("")
    settings = server_settings({"disable": ["traefik", "servicelb"], "agent-token": AGENT})
    return State(files, settings, Token(SERVER), lambda _: None, has_members=True)


def ask(state: State, path: str, user: str = "", password: str = "", body: Any = None) -> tuple[int, str]:
    headers = {"authorization": basic(user, password)["Authorization"]} if user else {}
    return SupervisorApi(state).answer(Request("GET", path, headers, json.dumps(body).encode()))


def test_everybody_may_see_that_a_server_is_there_and_which_cluster_it_is_of(state: State) -> None:
    assert ask(state, "/ping") == (HTTPStatus.OK, "pong")
    assert ask(state, "/cacerts") == (HTTPStatus.OK, state.files.server_ca)


@pytest.mark.parametrize(
    ("path", "user", "password", "status"),
    [
        ("/v1-k3s/config", "", "", HTTPStatus.UNAUTHORIZED),
        ("/v1-k3s/config", "node", "wrong", HTTPStatus.UNAUTHORIZED),
        ("/v1-k3s/config", "node", AGENT, HTTPStatus.OK),
        ("/v1-k3s/config", "server", AGENT, HTTPStatus.UNAUTHORIZED),
        ("/v1-k3s/config", "server", SERVER, HTTPStatus.OK),
        ("/v1-k3s/server-bootstrap", "node", AGENT, HTTPStatus.UNAUTHORIZED),
        ("/v1-k3s/server-bootstrap", "server", SERVER, HTTPStatus.OK),
        ("/v1-k3s/token", "node", AGENT, HTTPStatus.UNAUTHORIZED),
        ("/v1-k3s/elsewhere", "server", SERVER, HTTPStatus.NOT_FOUND),
        ("/db/info", "server", SERVER, HTTPStatus.SERVICE_UNAVAILABLE),
        ("/v1-k3s/node", "node", AGENT, HTTPStatus.SERVICE_UNAVAILABLE),
    ],
)
def test_an_agents_token_opens_what_agents_need_and_nothing_more(
    state: State, path: str, user: str, password: str, status: int
) -> None:
    assert ask(state, path, user, password, {"name": "a", "password": "b"})[0] == status


def test_a_server_without_etcd_cannot_be_joined(state: State) -> None:
    state.has_members = False
    status, text = ask(state, "/v1-k3s/server-bootstrap", "server", SERVER)
    assert status == HTTPStatus.SERVICE_UNAVAILABLE
    assert "cluster-init" in text


def test_a_rotated_token_is_asked_for_from_then_on(state: State) -> None:
    told: list[Token] = []
    state.rotated = told.append
    assert ask(state, "/v1-k3s/token", "server", SERVER, {"newToken": "new"})[0] == HTTPStatus.OK
    assert told == [Token("new")]
    assert ask(state, "/v1-k3s/config", "server", SERVER)[0] == HTTPStatus.UNAUTHORIZED
    assert ask(state, "/v1-k3s/config", "server", "new")[0] == HTTPStatus.OK


def free_port() -> int:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as link:
        port: int = link.getsockname()[1]
        return port


def test_an_agent_goes_on_with_the_next_server_when_one_is_gone(tmp_path: Path) -> None:
    record = tmp_path / "balancer.json"

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"here")
        writer.close()

    async def talk() -> list[bytes]:
        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        dead, alive = f"127.0.0.1:{free_port()}", f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        Balancer(record, dead).learn([dead, alive])
        port = free_port()
        # A new start remembers what the last one has learnt.
        listener = await Balancer(record, dead).listen(port)
        heard = []
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            heard.append(await asyncio.wait_for(reader.read(), 5))
            writer.close()
        listener.close()
        server.close()
        return heard

    assert asyncio.run(talk()) == [b"here", b"here"]
