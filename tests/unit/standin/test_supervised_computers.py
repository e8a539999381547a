"""api and worker before a supervisor: the same computers as on Kubernetes, with homes that are nowhere else.

Docker is one of ours; see test_supervisor.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePosixPath

import pytest

from local.images.app.standin import container_screens
from local.images.app.standin.computers import Computers, NoComputerError
from local.images.app.standin.provider import ProviderError
from local.images.app.standin.sandbox_settings import DockerSandbox
from local.images.app.standin.supervised_computers import SupervisedComputers
from local.images.app.standin.supervisor_client import SupervisorClient, SupervisorError
from local.images.app.standin.workspaces import Workspaces

from .environments import TOKEN
from .fake_docker import FakeDocker
from .fake_pool import FakePool
from .supervisor_world import World, world

NAME = "rakazo-bot-b1"


def computers_of(place: World, folder: Path, token: str = TOKEN, most: int = 0) -> Computers:
    client = SupervisorClient(place.session, DockerSandbox(place.url, token, command_timeout=5))
    return Computers(FakePool(), SupervisedComputers(client, Workspaces(folder), PurePosixPath(folder)), most)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def run(test: Callable[[Computers, FakeDocker, World], Awaitable[None]]) -> None:
        async def inside() -> None:
            async with world(tmp_path, monkeypatch, {}) as place:
                await test(computers_of(place, tmp_path), place.docker, place)

        asyncio.run(inside())

    return run


def test_a_home_outlives_its_computer_without_being_copied(run: Callable[..., None], tmp_path: Path) -> None:
    async def test(computers: Computers, docker: FakeDocker, _place: World) -> None:
        first = await computers.ensure("b1")
        await computers.provider.write(NAME, "notes/a.bin", b"\0\xff")
        assert (tmp_path / "homes/b1/notes/a.bin").read_bytes() == b"\0\xff"
        assert await computers.remove(NAME) == 1
        assert docker.computer() == {}
        assert (tmp_path / "home-revisions/b1.txt").exists()
        second = await computers.ensure("b1")
        assert (first.restored, second.restored) == (False, True)
        assert (first.generation, second.generation) == (1, 2), "screens of the first must end"
        assert await computers.provider.read(NAME, "notes/a.bin") == b"\0\xff"

    run(test)


def test_the_home_is_made_before_the_supervisor_is_asked(run: Callable[..., None], tmp_path: Path) -> None:
    async def test(computers: Computers, docker: FakeDocker, _place: World) -> None:
        await computers.ensure("b9")
        assert (tmp_path / "homes/b9").is_dir()
        assert docker.computer("rakazo-bot-b9")["HostConfig"]["Mounts"][0]["Source"] == "/srv/rakazo/data/homes/b9"

    run(test)


def test_a_computer_is_described_as_everywhere(run: Callable[..., None]) -> None:
    async def test(computers: Computers, docker: FakeDocker, _place: World) -> None:
        computer = await computers.ensure("b1")
        assert (computer.name, computer.place.address) == (NAME, "127.0.0.1")
        assert (computer.place.node, computer.place.runtime_class) == (None, None)
        assert await computers.dial(computer) == {"6080": True}
        done = await computers.execute(NAME, ["sh", "-c", "echo out; echo err >&2; exit 7"])
        assert (done.exit_code, done.stdout, done.stderr) == (7, b"out\n", b"err\n")
        with pytest.raises(FileNotFoundError):
            await computers.provider.read(NAME, "missing")

    run(test)


def test_a_stopped_or_vanished_computer_is_lost_and_comes_back(run: Callable[..., None]) -> None:
    async def test(computers: Computers, docker: FakeDocker, _place: World) -> None:
        await computers.ensure("b1")
        docker.computer()["State"]["Running"] = False
        with pytest.raises(NoComputerError, match="is lost"):
            await computers.find(NAME)
        assert (await computers.ensure("b1")).generation == 1, "started again, not made anew"
        docker.containers.pop(docker.computer()["Id"])
        with pytest.raises(NoComputerError, match="is lost"):
            await computers.find(NAME)
        assert (await computers.ensure("b1")).generation == 2

    run(test)


@pytest.mark.parametrize("broken", ["screen", "network"])
def test_a_computer_without_a_screen_is_still_found_and_removed(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    async def test(computers: Computers, docker: FakeDocker, _place: World) -> None:
        await computers.ensure("b1")
        await computers.provider.write(NAME, "a", b"kept")
        if broken == "screen":
            monkeypatch.setattr(container_screens, "VIEW_PORT", 1)
        else:
            docker.computer()["NetworkSettings"]["Networks"].clear()
        found = await computers.find(NAME)
        assert found.place.address == ("127.0.0.1" if broken == "screen" else "")
        assert await computers.remove(NAME) == 1
        assert docker.computer() == {}

    run(test)


def test_a_token_for_the_screen_is_one_that_the_computer_lets_through(run: Callable[..., None], tmp_path: Path) -> None:
    async def test(computers: Computers, _docker: FakeDocker, _place: World) -> None:
        await computers.ensure("b1")
        token = await computers.provider.control_token(NAME)
        assert (tmp_path / "screen-tokens").read_text() == f"{token}: 127.0.0.1:5900\n"

    run(test)


def test_what_the_supervisor_refuses_is_passed_on_in_its_words(run: Callable[..., None], tmp_path: Path) -> None:
    async def test(computers: Computers, docker: FakeDocker, place: World) -> None:
        docker.egress = (7, "169.254.169.254:80 answers")
        with pytest.raises(
            SupervisorError, match=r"egress rules are missing .* 169\.254\.169\.254:80 answers"
        ) as error:
            await computers.ensure("b1")
        assert error.value.status == 500
        with pytest.raises(SupervisorError, match="unauthorized") as error:
            await computers_of(place, tmp_path, token="f" * 64).ensure("b1")
        assert error.value.status == 401

    run(test)


def test_no_more_computers_run_than_may(run: Callable[..., None], tmp_path: Path) -> None:
    async def test(_computers: Computers, docker: FakeDocker, place: World) -> None:
        computers = computers_of(place, tmp_path, most=1)
        await computers.ensure("b1")
        await computers.ensure("b1")
        with pytest.raises(ProviderError, match="limit reached") as error:
            await computers.ensure("b2")
        assert (error.value.status, docker.computer("rakazo-bot-b2")) == (429, {})
        await computers.remove(NAME)
        await computers.ensure("b2")

    run(test)
