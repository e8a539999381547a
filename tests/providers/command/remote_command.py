"""`command.remote.Command`, which really runs over SSH."""

from collections.abc import Mapping

from tests.providers.call import Call
from tests.providers.command.command_type import CommandType
from tests.providers.command.connection import Connection, completed
from tests.providers.command.output_lines import OutputLines
from tests.providers.command.remote_process import RemoteProcess
from tests.providers.command.surroundings import Surroundings
from tests.providers.values import Properties


class RemoteCommand(CommandType):
    """Runs on the machine that `connection` names."""

    token = "command:remote:Command"

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings

    def complete(self, inputs: Properties) -> Properties:
        """Fill in the connection's defaults."""
        return {**inputs, "connection": completed(inputs["connection"])}

    def execute(self, command: str, inputs: Properties, previous: Mapping[str, str], call: Call) -> OutputLines:
        """Run a command on the machine."""
        process = RemoteProcess(
            command=command,
            stdin=inputs.get("stdin", ""),
            environment=inputs.get("environment", {}),
            previous=previous,
        )
        lines = OutputLines(call, inputs.get("logging"))
        process.run(Connection.of(inputs["connection"]), self._surroundings, lines, call)
        return lines
