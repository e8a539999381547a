"""What a bot does on a computer's screen, and what it sees there: xdotool and a picture, through commands in it."""

import base64
from typing import Any

from .container import environment
from .desktop import HOME
from .docker_engine import DockerEngine

MOST = 24
"""Actions in one call."""
BUTTONS = {"left": "1", "right": "3"}
SCROLLS = {"up": "4", "down": "5"}
LONGEST_WAIT_MS = 5000
PICTURE = ("import", "-window", "root", "png:-")


class ActionError(Exception):
    """No such action, or the computer could not do it."""


class ContainerActions:
    """The screens of computers, as bots use them."""

    def __init__(self, docker: DockerEngine) -> None:
        self._docker = docker

    async def act(self, container: str, actions: list[dict[str, Any]]) -> int:
        """Do one action after the other and return how many were done.

        Raises:
            ActionError: too many, an unknown one, or one that failed; those before it are done.

        """
        if len(actions) > MOST:
            raise ActionError(f"{len(actions)} actions are too many; {MOST} are the most in one call")
        commands = [command(action) for action in actions]
        for words in commands:
            await self._run(container, words)
        return len(commands)

    async def observe(self, container: str) -> dict[str, str]:
        """Return a picture of the screen, base64.

        Raises:
            ActionError: there is no picture.

        """
        return {"image": base64.b64encode(await self._run(container, list(PICTURE))).decode()}

    async def _run(self, container: str, words: list[str]) -> bytes:
        done = await self._docker.execute(container, {"Cmd": words, "WorkingDir": HOME, "Env": environment()})
        if done.exit_code:
            why = (done.stderr or done.stdout).decode(errors="replace").strip()
            raise ActionError(f"{words[0]} failed with exit status {done.exit_code}: {why}")
        return done.stdout


def command(action: dict[str, Any]) -> list[str]:
    """Return the command of an action.

    Raises:
        ActionError: there is no such action.

    """
    match action:
        case {"kind": "key", "key": str(key)}:
            keys = [str(each) for each in action.get("modifiers", [])]
            return ["xdotool", "key", "--clearmodifiers", "--", "+".join([*keys, key])]
        case {"kind": "pointer", "type": "move" | "down" | "up" | "click" as what, "x": x, "y": y}:
            button = BUTTONS.get(str(action.get("button", "left")), BUTTONS["left"])
            pressed = {"move": [], "down": ["mousedown", button], "up": ["mouseup", button]}
            return ["xdotool", "mousemove", "--", f"{x:g}", f"{y:g}", *pressed.get(what, ["click", button])]
        case {"kind": "clipboard", "text": str(text)}:
            return ["xdotool", "type", "--clearmodifiers", "--", text]
        case {"kind": "scroll", "direction": "up" | "down" as direction}:
            return ["xdotool", "click", "--repeat", str(int(action.get("amount", 3))), SCROLLS[direction]]
        case {"kind": "wait", "ms": int(milliseconds)}:
            return ["sleep", f"{min(max(milliseconds, 0), LONGEST_WAIT_MS) / 1000:g}"]
        case _:
            raise ActionError(f"there is no action {action!r}")
