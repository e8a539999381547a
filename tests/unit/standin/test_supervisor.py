"""The supervisor between an api of ours and a Docker of ours: who may ask, what is made, joined, replaced, removed.

It cannot prove that Docker accepts any of it; the engine tier does.
"""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from local.images.app.standin.container import bridge_name, network_name

from .environments import SUPERVISOR, TOKEN
from .fake_docker import OWN, WEB
from .supervisor_world import World, world

NETWORK = network_name("b1")
ONE = "/computers/rakazo-bot-b1"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def run(test: Callable[[World], Awaitable[None]], **changed: str) -> None:
        async def inside() -> None:
            async with world(tmp_path, monkeypatch, changed) as place:
                await test(place)

        asyncio.run(inside())

    return run


def test_without_the_token_nothing_but_health_is_answered(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        assert await place.call("GET", "/health", token="") == (
            200,
            {"ok": True, "image": SUPERVISOR["RAKAZO_COMPUTER_IMAGE"]},
        )
        for method, path in (("POST", "/computers"), ("GET", ONE), ("DELETE", ONE), ("POST", f"{ONE}/exec")):
            assert await place.call(method, path, {}, token=TOKEN[:-1] + "0") == (401, {"error": "unauthorized"})
        assert place.docker.calls == []

    run(test)


def test_a_computer_is_made_on_a_bridge_of_its_own_that_the_supervisor_and_web_join(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        status, answer = await place.create()
        assert (status, answer["resumed"]) == (200, False)
        assert urlsplit(answer["screenUrl"]).hostname == "127.0.0.1"
        network = place.docker.networks[NETWORK]
        assert network["Options"] == {"com.docker.network.bridge.name": bridge_name("b1")}
        assert set(network["Containers"]) == {OWN, WEB}
        made = place.docker.computer()
        assert made["HostConfig"]["NetworkMode"] == NETWORK
        assert made["HostConfig"]["Mounts"][0]["Source"] == "/srv/rakazo/data/homes/b1"

    run(test)


def test_a_running_computer_is_used_as_it_is_and_a_stopped_one_is_started(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        _, first = await place.create()
        _, again = await place.create()
        assert (again["id"], again["resumed"]) == (first["id"], True)
        assert await place.call("POST", f"{ONE}/stop", {}) == (200, {"ok": True})
        status, stopped = await place.call("GET", ONE)
        assert (status, stopped["running"], stopped["screenUrl"]) == (200, False, None)
        checks = len([call for call in place.docker.calls if call.endswith("/wait")])
        _, resumed = await place.create()
        assert (resumed["id"], resumed["resumed"]) == (first["id"], True)
        assert len([call for call in place.docker.calls if call.endswith("/wait")]) == checks + 1, "looked again"

    run(test)


def test_no_computer_starts_while_the_rules_are_missing(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        place.docker.egress = (7, "172.31.0.1:9 answers: Connection refused")
        status, answer = await place.create()
        assert status == 500
        assert answer["error"] == (
            f"egress rules are missing for {bridge_name('b1')}, so no computer starts: "
            "172.31.0.1:9 answers: Connection refused"
        )
        assert place.docker.computer() == {}
        assert not [each for each in place.docker.containers.values() if "egress" in each["Name"]], "nothing is left"

    run(test)


def test_a_look_that_fails_is_not_taken_for_rules(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        place.docker.egress = (127, "python3: not found")
        status, answer = await place.create()
        assert (status, place.docker.computer()) == (500, {})
        assert "nobody can tell" in answer["error"]

    run(test)


@pytest.mark.parametrize(("egress", "looks"), [("", 1), ("open", 0)])
def test_unless_restricted_is_asked_for_a_computer_starts_without_rules(
    run: Callable[..., None], egress: str, looks: int
) -> None:
    async def test(place: World) -> None:
        place.docker.egress = (7, "answers")
        status, _ = await place.create()
        assert (status, place.docker.computer()["State"]["Running"]) == (200, True)
        assert len([call for call in place.docker.calls if call.endswith("/wait")]) == looks

    run(test, SANDBOX_COMPUTER_EGRESS=egress)


@pytest.mark.parametrize("change", ["image", "bridge", "cut off"])
def test_a_computer_that_no_longer_fits_is_replaced(run: Callable[..., None], change: str) -> None:
    async def test(place: World) -> None:
        _, first = await place.create()
        if change == "image":
            place.docker.image = "id-2"
            place.docker.images.add("id-2")
        elif change == "bridge":
            place.docker.networks[NETWORK]["Options"] = {}
        else:
            place.docker.computer()["NetworkSettings"]["Networks"].clear()
        _, second = await place.create()
        assert (second["resumed"], second["id"] == first["id"]) == (False, False)
        assert place.docker.networks[NETWORK]["Options"] == {"com.docker.network.bridge.name": bridge_name("b1")}

    run(test)


def test_an_image_that_is_not_there_is_said_before_anything_is_made(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        place.docker.images.clear()
        status, answer = await place.create()
        assert (status, place.docker.calls) == (500, [])
        assert "pull it before the supervisor starts" in answer["error"]

    run(test)


def test_a_computer_belongs_to_its_bot(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        await place.create()
        for method, path in (("GET", ONE), ("DELETE", ONE), ("POST", f"{ONE}/exec"), ("GET", f"{ONE}/files")):
            assert await place.call(method, path, {}, bot="b2") == (404, {"error": "computer identity mismatch"})
        body = {"botId": "b1", "spaceId": "s", "homePath": str(place.home)}
        assert (await place.call("POST", "/computers", body, bot="b2"))[0] == 400
        assert (await place.call("GET", "/computers/nobody"))[0] == 404

    run(test)


def test_commands_and_files(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        await place.create()
        command = ["sh", "-c", "echo out; echo err >&2; exit 3"]
        done = await place.call("POST", f"{ONE}/exec", {"argv": command})
        assert done == (200, {"code": 3, "stdout": "out\n", "stderr": "err\n"})
        late = await place.call("POST", f"{ONE}/exec", {"argv": ["sleep", "9"], "timeoutMs": 100})
        assert late == (200, {"code": 124, "stdout": "", "stderr": "command timed out after 100 ms\n"})
        large = bytes(range(256)) * 2048
        written = {"path": "notes/a.bin", "content": base64.b64encode(large).decode()}
        assert await place.call("POST", f"{ONE}/files", written) == (200, {"ok": True})
        status, read = await place.call("GET", f"{ONE}/files?mode=read&path=notes/a.bin")
        assert (status, base64.b64decode(read["content"])) == (200, large)
        assert (await place.call("GET", f"{ONE}/files?mode=read&path=notes/a.bin&maxBytes=9"))[0] == 413
        assert (await place.call("GET", f"{ONE}/files?mode=read&path=missing"))[0] == 404
        assert (await place.call("GET", f"{ONE}/files?mode=read&path=../../etc/passwd"))[0] == 400
        listed = await place.call("GET", f"{ONE}/files?path=notes")
        assert listed == (200, [{"path": "notes/a.bin", "kind": "file", "size": len(large)}])

    run(test)


def test_a_token_controls_the_screen_until_it_is_revoked(run: Callable[..., None], tmp_path: Path) -> None:
    async def test(place: World) -> None:
        await place.create()
        mode = f"{ONE}/screen-mode"
        assert (await place.call("POST", mode, {"interactive": True}))[0] == 400
        status, answer = await place.call("POST", mode, {"interactive": True, "controlToken": "one-token"})
        assert (status, urlsplit(answer["screenUrl"]).port) == (200, 6100)
        assert (tmp_path / "screen-tokens").read_text() == "one-token: 127.0.0.1:5900\n"
        status, answer = await place.call("POST", mode, {"interactive": False})
        assert status == 200
        assert (tmp_path / "screen-tokens").read_text() == ""
        assert (await place.call("GET", f"{ONE}/screen")) == (302, answer["screenUrl"])

    run(test)


def test_a_web_that_was_started_anew_is_joined_when_a_screen_is_asked_for(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        await place.create()
        place.docker.networks[NETWORK]["Containers"].pop(WEB)
        await place.call("GET", ONE)
        assert WEB in place.docker.networks[NETWORK]["Containers"]

    run(test)


def test_a_computer_that_ends_says_why(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        await place.create()
        place.docker.egress = (0, "rakazo-computer: refused to start")
        place.docker.computer()["NetworkSettings"]["Networks"][NETWORK]["IPAddress"] = ""
        status, answer = await place.create()
        assert status == 500
        assert "did not become ready in time" in answer["error"]
        assert "rakazo-computer: refused to start" in answer["error"]
        status, described = await place.call("GET", ONE)
        assert (status, described["running"], described["screenUrl"]) == (200, True, None)

    run(test)


def test_a_removed_computer_takes_its_network_along_and_leaves_its_home(run: Callable[..., None]) -> None:
    async def test(place: World) -> None:
        await place.create()
        (place.home / "kept").write_text("")
        assert await place.call("DELETE", ONE) == (200, {"ok": True})
        assert (place.docker.computer(), place.docker.networks) == ({}, {})
        assert (place.home / "kept").exists()
        assert (await place.call("DELETE", ONE))[0] == 404

    run(test)
