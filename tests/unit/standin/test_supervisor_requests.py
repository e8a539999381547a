"""What the supervisor refuses of a request: files that are too large or no base64, screens that another one holds."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from local.images.app.standin import container_files, supervisor_routes
from local.images.app.standin.container_leases import LeaseError, ScreenLeases
from local.images.app.standin.container_life import Owner

from .supervisor_world import World, world

ONE = "/computers/rakazo-bot-b1"
OWNER = Owner(bot="b1", space="s")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def run(test: Callable[[World], Awaitable[None]]) -> None:
        async def inside() -> None:
            async with world(tmp_path, monkeypatch, {}) as place:
                await place.create()
                await test(place)

        asyncio.run(inside())

    return run


@pytest.mark.parametrize(("query", "most"), [("", 9), ("&maxBytes=20", 9), ("&maxBytes=4", 4)])
def test_no_more_of_a_file_is_read_than_one_answer_may_hold(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch, query: str, most: int
) -> None:
    async def test(place: World) -> None:
        read = f"{ONE}/files?mode=read&path=a{query}"
        (place.home / "a").write_bytes(b"x" * most)
        assert await place.call("GET", read) == (200, {"content": base64.b64encode(b"x" * most).decode()})
        (place.home / "a").write_bytes(b"x" * (most + 1))
        assert await place.call("GET", read) == (413, {"error": f"computer file exceeds {most} bytes"})

    monkeypatch.setattr(supervisor_routes, "LARGEST_CONTENT", 9)
    run(test)


def test_the_largest_file_is_16_mib_of_base64_both_ways() -> None:
    assert container_files.LARGEST == 16 << 20
    assert len(base64.b64encode(bytes(container_files.LARGEST_CONTENT))) == container_files.LARGEST


@pytest.mark.parametrize("content", ["a", "a b=", "\u00e9abc", "====", 7, None])
def test_a_content_that_is_no_base64_is_refused_and_nothing_is_written(run: Callable[..., None], content: Any) -> None:
    async def test(place: World) -> None:
        status, answer = await place.call("POST", f"{ONE}/files", {"path": "a", "content": content})
        assert status == 400
        assert "base64" in answer["error"]
        assert not (place.home / "a").exists()

    run(test)


def test_the_screen_of_a_newer_execution_is_not_used_by_an_older_one(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        mode, body = f"{ONE}/screen-mode", {"interactive": False}
        assert (await place.call("POST", mode, body, lease="run-1:2"))[0] == 200
        refused = (500, {"error": "this computer's screen is owned by a newer execution"})
        for method, path in (("POST", "observe"), ("POST", "actions"), ("POST", "input"), ("GET", "screen")):
            assert await place.call(method, f"{ONE}/{path}", {"actions": []}, lease="run-1:1") == refused
        assert await place.call("POST", mode, body, lease="run-1:1") == refused
        assert (await place.call("POST", f"{ONE}/exec", {"argv": ["true"]}, lease="run-1:1"))[0] == 200, "no screen"
        assert (await place.call("POST", f"{ONE}/stop", {}))[0] == 200
        await place.create()
        assert (await place.call("POST", mode, body, lease="run-1:1"))[0] == 200, "nobody holds it any longer"

    run(test)


@pytest.mark.parametrize("lease", ["", "run-1:2", "run-1:3", "run-2:1", "boot:a:1", "run-2"])
def test_the_same_or_a_newer_execution_another_run_and_a_person_may_use_the_screen(lease: str) -> None:
    leases = ScreenLeases()
    leases.claim(OWNER, "b1", "run-1:2")
    leases.claim(OWNER, "b1", lease)


def test_a_request_without_a_lease_does_not_let_an_older_one_in() -> None:
    leases = ScreenLeases()
    leases.claim(OWNER, "b1", "boot:a:2")
    leases.claim(OWNER, "b1", "")
    with pytest.raises(LeaseError, match="newer execution"):
        leases.claim(OWNER, "b1", "boot:a:1")


def test_a_second_screen_of_a_computer_is_refused_until_the_first_one_ends() -> None:
    leases = ScreenLeases()
    leases.claim(OWNER, "b1", "")
    leases.claim(Owner(bot="b2", space="s"), "b2", "")
    with pytest.raises(LeaseError, match="b1 holds the only screen"):
        leases.claim(OWNER, "b9", "")
    leases.end(OWNER)
    leases.claim(OWNER, "b9", "")
