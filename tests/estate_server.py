"""One plain machine of an estate and the stack `server` on it."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from local.checkout import PROJECT
from local.stack.folder import StackFolder
from operations.secrets import generate, generate_for_machines
from stacks.ssh_key import public_key
from tests.estate_stack import CONSOLE, EstateStack, shared_settings, shown
from tests.machines.estate import Estate
from tests.machines.machine import Machine
from tests.providers.command import CommandPackage, Surroundings
from tests.providers.server import ProviderServer

FOLDER_NAME = ".test-server"
"""With a dot in front `local status` does not take it for a cluster."""
NAME = "rakazo-1"
ADDRESS, PRIVATE = "192.175.48.101", "10.0.1.11"


@dataclass(frozen=True, kw_only=True)
class EstateServer:
    """An estate with one machine that is on and empty, and a stack that is to come onto it."""

    estate: Estate
    machine: Machine
    stack: EstateStack
    secrets: Mapping[str, str]
    settings: dict[str, Any]
    """What the stack file says now; a change that is to stay is made here."""

    def write(self, changes: Mapping[str, Any] | None = None) -> None:
        """Write the stack file as it is right for this machine, or with changes."""
        self.stack.write({**self.settings, **(changes or {})})

    def journal(self) -> str:
        """Return the last that k3s said, for the message of a failure."""
        return self.machine.run(["journalctl", "--unit=k3s", "--lines=40", "--no-pager"], check=False).stdout


@contextmanager
def estate_server(name: str = FOLDER_NAME, more: Mapping[str, str] = MappingProxyType({})) -> Iterator[EstateServer]:
    """Start all of it, with `more` secrets than every stack has; nothing is left of it afterwards."""
    secrets = {**generate(), **generate_for_machines(), **more}
    folder = StackFolder(name=name, stack="server")
    with Estate(PROJECT / ".local" / name / "estate", CONSOLE) as estate:
        shutil.rmtree(folder.state.parent, ignore_errors=True)
        place = estate.operator.inside
        machine = plain_machine(estate, public_key(secrets["rakazo:ssh_private_key"]))
        with ProviderServer([CommandPackage(Surroundings(place=place))], place) as providers:
            stack = EstateStack(estate, providers, folder)
            made = EstateServer(
                estate=estate, machine=machine, stack=stack, secrets=secrets, settings=settings(estate, machine)
            )
            made.write()
            stack.prepare(secrets)
            yield made
            assert providers.faults == []
    shutil.rmtree(folder.cluster)


def plain_machine(estate: Estate, key: str, public: str = ADDRESS, private: str = PRIVATE) -> Machine:
    """Return a Debian machine as a provider hands it over, with the images that it cannot pull here."""
    machine = estate.machine(
        NAME,
        public=public,
        private=private,  # without one, nodes talk inside WireGuard, which this kernel has not
        public_keys=[key],
        shown=shown(),
    )
    machine.start()
    machine.wait_for_cloud_init()
    return machine


def settings(estate: Estate, machine: Machine) -> dict[str, Any]:
    """Return what the stack file says of this machine."""
    return {
        **shared_settings(estate),
        # cloud-init lets nobody in as root, as on most clouds' Debian.
        "target.ssh": {"user": "debian"},
        "target.machines": [machine_settings(host_key(machine))],
    }


def machine_settings(key: str) -> dict[str, str]:
    """Return the machine as the stack file names it, with this host key."""
    return {
        "name": NAME,
        "address": ADDRESS,
        "private_address": PRIVATE,
        "role": "server",
        "pool": "all",
        "host_key": key,
    }


def host_key(machine: Machine) -> str:
    """Return the machine's own host key, as somebody reads it on its console."""
    return " ".join(machine.run(["cat", "/etc/ssh/ssh_host_ed25519_key.pub"]).stdout.split()[:2])
