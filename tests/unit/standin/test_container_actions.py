"""What a bot's actions become; that a desktop obeys them is not proven here."""

import asyncio
from typing import Any

import pytest

from local.images.app.standin.container_actions import ActionError, ContainerActions, command
from local.images.app.standin.docker_engine import DockerEngine
from local.images.app.standin.provider import Execution


class Desktop(DockerEngine):
    """Keeps what it is told to run; one program fails."""

    def __init__(self) -> None:
        self.ran: list[list[str]] = []

    async def execute(self, name: str, options: dict[str, Any], stdin: bytes | None = None) -> Execution:
        """Run nothing."""
        self.ran.append(options["Cmd"])
        return Execution(1, b"", b"no display") if options["Cmd"][0] == "import" else Execution(0, b"", b"")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"kind": "key", "key": "c", "modifiers": ["ctrl"]}, "xdotool key --clearmodifiers -- ctrl+c"),
        ({"kind": "pointer", "type": "move", "x": 3, "y": 4.5}, "xdotool mousemove -- 3 4.5"),
        ({"kind": "pointer", "type": "click", "x": 3, "y": 4, "button": "right"}, "xdotool mousemove -- 3 4 click 3"),
        ({"kind": "pointer", "type": "down", "x": 3, "y": 4}, "xdotool mousemove -- 3 4 mousedown 1"),
        ({"kind": "clipboard", "text": "--help"}, "xdotool type --clearmodifiers -- --help"),
        ({"kind": "scroll", "direction": "down", "amount": 2}, "xdotool click --repeat 2 5"),
        ({"kind": "wait", "ms": 60_000}, "sleep 5"),
    ],
)
def test_an_action_is_one_command(action: dict[str, Any], words: str) -> None:
    assert " ".join(command(action)) == words


@pytest.mark.parametrize("action", [{}, {"kind": "launch"}, {"kind": "pointer", "type": "drag", "x": 1, "y": 1}])
def test_an_unknown_action_is_refused_before_anything_is_done(action: dict[str, Any]) -> None:
    desktop = Desktop()
    with pytest.raises(ActionError, match="there is no action"):
        asyncio.run(ContainerActions(desktop).act("b1", [{"kind": "wait", "ms": 1}, action]))
    assert desktop.ran == []


def test_more_than_twenty_four_actions_are_refused() -> None:
    desktop = Desktop()
    wait = {"kind": "wait", "ms": 1}
    with pytest.raises(ActionError, match="25 actions are too many"):
        asyncio.run(ContainerActions(desktop).act("b1", [wait] * 25))
    assert desktop.ran == []
    assert asyncio.run(ContainerActions(desktop).act("b1", [wait] * 24)) == 24


def test_a_screen_without_a_picture_says_why() -> None:
    with pytest.raises(ActionError, match="import failed with exit status 1: no display"):
        asyncio.run(ContainerActions(Desktop()).observe("b1"))
