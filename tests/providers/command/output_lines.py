"""What a command prints: kept for the outputs, and shown line by line where the program allows it."""

from collections.abc import Mapping
from typing import Final, Literal

from tests.providers.call import Call

Stream = Literal["stdout", "stderr"]

_SHOWN: Final[Mapping[str | None, frozenset[str]]] = {
    None: frozenset({"stdout", "stderr"}),
    "stdoutAndStderr": frozenset({"stdout", "stderr"}),
    "stdout": frozenset({"stdout"}),
    "stderr": frozenset({"stderr"}),
    "none": frozenset(),
}


class OutputLines:
    """Collects both streams. `logging` is the input of that name; without one both are shown, secret or not."""

    def __init__(self, call: Call, logging: str | None) -> None:
        self._call = call
        self._shown = _SHOWN[logging]
        self._kept: dict[str, list[bytes]] = {"stdout": [], "stderr": []}
        self._both: list[bytes] = []

    def take(self, stream: Stream, line: bytes) -> None:
        """Take one line, its end included."""
        self._kept[stream].append(line)
        self._both.append(line)
        if stream in self._shown:
            self._call.tell("info", line.decode(errors="replace").rstrip("\n"), True)

    def output(self, stream: Stream) -> str:
        """Return what a stream carried, without the last line's end, as the real provider does."""
        return _text(self._kept[stream]).removesuffix("\n")

    def failure(self, ending: str, command: str) -> str:
        """Return what the operator is told of a failed command: how it ended, what it was, and what it printed.

        Neither its standard input nor its environment is part of that; the command itself is, with the real provider
        too, so a secret does not belong there.
        """
        quoted = command.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'{ending}: running "{quoted}":\n{_text(self._both)}'


def _text(lines: list[bytes]) -> str:
    return b"".join(lines).decode(errors="replace")
