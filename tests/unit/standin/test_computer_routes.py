"""What api answers about computers that are pods, to the letter; see test_computers for what is done to them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from local.images.app.standin import api_computers, api_screens, pod_computers

from .environments import SCREEN
from .fake_kubernetes import FakeKubernetes
from .loopback import serving
from .test_computers import NAME, deployment

Test = Callable[[aiohttp.ClientSession, str, FakeKubernetes], Awaitable[None]]


def with_api(folder: Path, test: Test) -> None:
    async def run() -> None:
        async with deployment(folder) as (computers, fake, _):
            await computers.ensure("b1")
            app = web.Application()
            api_computers.add_routes(app, computers)
            api_screens.add_routes(app, SCREEN, computers)
            async with serving(app) as address, aiohttp.ClientSession() as session:
                await test(session, f"{address}/api/computers/{NAME}", fake)

    asyncio.run(run())


def test_a_file_that_the_computer_cannot_write_is_a_conflict(tmp_path: Path) -> None:
    async def test(session: aiohttp.ClientSession, computer: str, _: FakeKubernetes) -> None:
        async with session.put(f"{computer}/files/a", data=b"a file") as written:
            assert written.status == 200
        async with session.put(f"{computer}/files/a/b", data=b"below it") as refused:
            assert refused.status == 409
            assert (await refused.json())["message"].startswith("tar: ")

    with_api(tmp_path, test)


def test_a_gateway_without_a_token_is_a_conflict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(session: aiohttp.ClientSession, computer: str, _: FakeKubernetes) -> None:
        async with session.post(f"{computer}/screen", json={"policy": "control"}) as refused:
            assert refused.status == 409
            assert (await refused.json())["message"].startswith("the gateway has no token: ")

    monkeypatch.setattr(pod_computers, "SCREEN_TOKENS", str(tmp_path / "none"))
    with_api(tmp_path, test)


def test_a_pod_that_has_no_phase_has_none_in_its_description(tmp_path: Path) -> None:
    async def test(session: aiohttp.ClientSession, computer: str, fake: FakeKubernetes) -> None:
        del fake.pods[NAME]["status"]["phase"]
        async with session.get(computer) as described:
            assert (await described.json())["phase"] is None

    with_api(tmp_path, test)
