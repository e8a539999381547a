"""The stand-in for `command`: commands and copies that really run, here and over SSH."""

from tests.providers.command.copy_to_remote import CopyFile, CopyToRemote
from tests.providers.command.local_command import LocalCommand
from tests.providers.command.local_process import LocalProcess
from tests.providers.command.remote_command import RemoteCommand
from tests.providers.command.surroundings import Surroundings
from tests.providers.package import Package

__all__ = ["CommandPackage", "Surroundings"]


class CommandPackage(Package):
    """The package `command`, used by an operator who sits in these surroundings."""

    def __init__(self, surroundings: Surroundings | None = None) -> None:
        here = surroundings or Surroundings()
        local = LocalCommand(LocalProcess(surroundings=here))
        super().__init__(
            "command",
            [local, RemoteCommand(here), CopyToRemote(here), CopyFile(here)],
            {"command:local:run": local.invoke},
            coerces=False,
        )
