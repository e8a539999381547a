"""`command.local.Command` and `command.local.run`, which really run a program here."""

from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.command.command_type import CommandType
from tests.providers.command.local_process import LocalProcess
from tests.providers.command.output_lines import OutputLines
from tests.providers.failure import Failure
from tests.providers.values import Properties

_NOT_COLLECTED = ("assetPaths", "archivePaths")


class LocalCommand(CommandType):
    """Runs beside the CLI. Files that a command leaves are not collected as assets: nothing here asks for them."""

    token = "command:local:Command"

    def __init__(self, process: LocalProcess) -> None:
        self._process = process

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Refuse what the stand-in would silently leave out."""
        return [Failure(path=name, reason="the stand-in does not know it") for name in _NOT_COLLECTED if name in inputs]

    def execute(self, command: str, inputs: Properties, previous: Mapping[str, str], call: Call) -> OutputLines:
        """Run a command here."""
        return self._process.run(command, inputs, previous, call)

    def invoke(self, arguments: Properties, call: Call) -> Properties:
        """Run `command` with every execution of the program, a preview included; this is the function, not a type."""
        lines = self._process.run(arguments["command"], arguments, {}, call)
        return {**arguments, "stdout": lines.output("stdout"), "stderr": lines.output("stderr")}
