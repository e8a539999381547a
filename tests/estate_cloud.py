"""A Hetzner Cloud project whose servers are machines of an estate, and a stack on it."""

import json
import secrets as random
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.checkout import PROJECT
from local.stack.folder import StackFolder
from operations.secrets import generate, generate_for_docker, generate_for_machines
from tests.estate_docker import shared_docker_settings
from tests.estate_servers import EstateServers
from tests.estate_stack import CONSOLE, EstateStack, shared_settings, shown
from tests.machines.addresses import OPERATOR
from tests.machines.estate import Estate
from tests.providers.command import CommandPackage, Surroundings
from tests.providers.hcloud import HcloudPackage, Project
from tests.providers.server import ProviderServer
from tests.providers.tls import TlsPackage


@dataclass(frozen=True, kw_only=True)
class EstateCloud:
    """An empty project, and a stack that is to come into it."""

    estate: Estate
    project: Project
    servers: EstateServers
    stack: EstateStack
    secrets: Mapping[str, str]
    settings: dict[str, Any]
    """What the stack file says now; a change that is to stay is made here."""

    def write(self, changes: Mapping[str, Any] | None = None) -> None:
        """Write the stack file as it is right for this estate, or with changes."""
        self.stack.write({**self.settings, **(changes or {})})

    def leaks(self) -> list[str]:
        """Return which secrets, and which private key, stand readable in the state, the plan or the outputs."""
        texts = {
            "state": self.stack.state(),
            "plan": self.stack.pulumi.must("preview", "--json"),
            "outputs": self.stack.pulumi.must("stack", "output", "--json"),
        }
        return [
            f"{key} in {where}"
            for key, value in {**self.secrets, "a private key": "PRIVATE KEY"}.items()
            for form in (value, json.dumps(value)[1:-1])
            for where, text in texts.items()
            if form in text
        ]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What Rakazo runs with on a server."""

    secrets: Callable[[], Mapping[str, str]]
    """Those that a stack has beside everybody's, by configuration key."""
    shown: Callable[[Estate], Mapping[str, Path]]
    """What is mounted in every server."""
    settings: Callable[[Estate], Mapping[str, Any]]
    """What only the estate knows, by dotted path."""


def _for_docker(estate: Estate) -> Mapping[str, Any]:
    return {**shared_docker_settings(estate), "target.admin_cidrs": [f"{OPERATOR}/32"]}


KUBERNETES = Kind(secrets=generate_for_machines, shown=lambda _: shown(), settings=shared_settings)
DOCKER = Kind(secrets=generate_for_docker, shown=lambda estate: estate.registry.trusted, settings=_for_docker)


@contextmanager
def estate_cloud(stack: str, kind: Kind = KUBERNETES) -> Iterator[EstateCloud]:
    """Start all of it; nothing is left of it afterwards."""
    secrets = {**generate(), **kind.secrets(), "rakazo:hcloud_token": random.token_hex(32)}
    folder = StackFolder(name=f".test-{stack}", stack=stack)
    with Estate(PROJECT / ".local" / folder.name / "estate", CONSOLE) as estate:
        shutil.rmtree(folder.state.parent, ignore_errors=True)
        place = estate.operator.inside
        servers = EstateServers(estate, kind.shown(estate))
        project = Project(servers=servers)
        packages = [HcloudPackage(project), TlsPackage(), CommandPackage(Surroundings(place=place))]
        with ProviderServer(packages, place) as providers:
            made = EstateCloud(
                estate=estate,
                project=project,
                servers=servers,
                stack=EstateStack(estate, providers, folder),
                secrets=secrets,
                settings={**kind.settings(estate), "target.protect": False},
            )
            made.write()
            made.stack.prepare(secrets)
            yield made
            assert providers.faults == []
    shutil.rmtree(folder.cluster)
