"""What local and remote commands have in common: when which command runs."""

from abc import abstractmethod
from collections.abc import Mapping

from tests.providers.call import Call
from tests.providers.command.ids import fresh
from tests.providers.command.output_lines import OutputLines
from tests.providers.resource_type import Created, Resource, ResourceType
from tests.providers.values import Properties

STDOUT, STDERR = "PULUMI_COMMAND_STDOUT", "PULUMI_COMMAND_STDERR"


class CommandType(ResourceType):
    """`create` once, `update` or else `create` for every change of an input, `delete` at the end.

    A trigger replaces the resource, whatever the SDK's text says of updates: provider and SDK both mark it so
    (pulumi-command 1.2.1, common/inputs.go and `replace_on_changes`).
    """

    replaces = frozenset({"triggers"})

    def unknown_after(self, changed: frozenset[str]) -> frozenset[str]:
        """Any change runs a command, and what it prints is not known before."""
        return frozenset({"stdout", "stderr"}) if changed else frozenset()

    def create(self, inputs: Properties, call: Call) -> Created:
        """Run `create`; when it fails there is no resource, and the next deployment runs it again."""
        return Created(id=fresh(call.name), outputs=self._ran("create", inputs, {}, call))

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return what the state says: nothing of a command can be looked at afterwards."""
        return resource

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Run `update`, or `create` where there is none."""
        command = "update" if "update" in inputs else "create"
        return self._ran(command, inputs, old.outputs, call)

    def delete(self, resource: Resource, call: Call) -> None:
        """Run `delete` with what the state has, which is what the last deployment was given."""
        self._ran("delete", resource.outputs, resource.outputs, call)

    @abstractmethod
    def execute(self, command: str, inputs: Properties, previous: Mapping[str, str], call: Call) -> OutputLines:
        """Run a command to its end; RefusedError when it fails. `previous` is offered as its environment."""

    def _ran(self, which: str, inputs: Properties, before: Properties, call: Call) -> Properties:
        printed = {name: before.get(name, "") for name in ("stdout", "stderr")}
        if which in inputs:
            offered = {STDOUT: printed["stdout"], STDERR: printed["stderr"]}
            offers = inputs.get("addPreviousOutputInEnv", True)
            previous = {name: text for name, text in offered.items() if text and offers}
            lines = self.execute(inputs[which], inputs, previous, call)
            printed = {"stdout": lines.output("stdout"), "stderr": lines.output("stderr")}
        return {**inputs, **printed}
