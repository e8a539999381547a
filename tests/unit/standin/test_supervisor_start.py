"""What keeps a supervisor from starting beside its environment, which test_settings has."""

import asyncio
import os
from pathlib import Path, PurePosixPath

import aiohttp
import pytest

from local.images.app.standin import supervisor
from local.images.app.standin.docker_engine import DockerEngine
from local.images.app.standin.refusals import RefusalError
from local.images.app.standin.supervisor_settings import SupervisorSettings, read_supervisor

from .environments import SUPERVISOR
from .fake_docker import OWN, FakeDocker


@pytest.mark.parametrize(
    ("api", "container", "reason"),
    [("1.44", OWN[:12], "25.0.0 is too old; 26 or newer"), ("1.45", "elsewhere", "does not know this process")],
)
def test_a_docker_that_cannot_serve_keeps_the_supervisor_from_starting(
    tmp_path: Path, api: str, container: str, reason: str
) -> None:
    async def test() -> None:
        fake = FakeDocker(tmp_path)
        fake.api = api
        async with fake.serving() as socket:
            connector = aiohttp.UnixConnector(path=socket, force_close=True)
            async with aiohttp.ClientSession(connector=connector) as session:
                settings = read_supervisor(SUPERVISOR | {"HOSTNAME": container})
                with pytest.raises(RefusalError, match=reason):
                    await supervisor.require_docker(DockerEngine(session, socket), settings)

    asyncio.run(test())


def test_a_supervisor_that_is_not_root_or_has_no_socket_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def settings(socket: Path | PurePosixPath) -> SupervisorSettings:
        return read_supervisor(SUPERVISOR | {"DOCKER_SOCKET": str(socket)})

    monkeypatch.setattr(os, "getuid", lambda: 0)
    with pytest.raises(RefusalError, match="is no socket"):
        supervisor.require_root_and_socket(settings(PurePosixPath("/etc/hosts")))
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    with pytest.raises(RefusalError, match="runs as uid 1000"):
        supervisor.require_root_and_socket(settings(PurePosixPath("/etc/hosts")))
