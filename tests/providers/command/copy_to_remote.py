"""`command.remote.CopyToRemote` and the older `CopyFile`, which really copy over SFTP."""

from collections.abc import Mapping
from typing import Any

from tests.providers.call import Call
from tests.providers.command.connection import Connection, completed
from tests.providers.command.ids import fresh
from tests.providers.command.surroundings import Surroundings
from tests.providers.command.upload import Upload, contents
from tests.providers.refused import RefusedError
from tests.providers.resource_type import Created, Resource, ResourceType
from tests.providers.values import Properties


class CopyToRemote(ResourceType):
    """Copies once, and again when what is copied or its place changes; nothing is removed at the end."""

    token = "command:remote:CopyToRemote"
    replaces = frozenset({"triggers"})

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings

    def complete(self, inputs: Properties) -> Properties:
        """Fill in the connection's defaults."""
        return {**inputs, "connection": completed(inputs["connection"])}

    def create(self, inputs: Properties, call: Call) -> Created:
        """Copy."""
        self._copy(inputs, call)
        return Created(id=fresh(), outputs=inputs)

    def read(self, resource: Resource, call: Call) -> Resource | None:
        """Return what the state says; the real provider does not look at the machine either."""
        return resource

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Copy when there is something to copy; another connection alone is noted."""
        if self._identity(inputs) != self._identity(old.outputs):
            self._copy(inputs, call)
        return inputs

    def delete(self, resource: Resource, call: Call) -> None:
        """Leave the copy."""

    def _identity(self, inputs: Mapping[str, Any]) -> tuple[Any, ...]:
        return inputs["source"].get("hash"), inputs["remotePath"]

    def _source(self, inputs: Properties) -> Upload:
        return contents(inputs["source"], self._surroundings.folder)

    def _copy(self, inputs: Properties, call: Call) -> None:
        connection = Connection.of(inputs["connection"])
        self._source(inputs).send(inputs["remotePath"], connection, self._surroundings, call)


class CopyFile(CopyToRemote):
    """One file by its path; without an update of its own, every change replaces it (copyfileController.go)."""

    token = "command:remote:CopyFile"
    replaces = frozenset({"connection", "triggers", "localPath", "remotePath"})

    def update(self, old: Resource, inputs: Properties, call: Call) -> Properties:
        """Never asked for: every input replaces."""
        raise RefusedError(f"a copy cannot be changed, not even by {call.name}")

    def _source(self, inputs: Properties) -> Upload:
        return contents({"path": inputs["localPath"]}, self._surroundings.folder)
