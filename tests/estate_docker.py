"""One plain machine of an estate and the stack `docker` on it."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from local.checkout import PROJECT
from local.stack.folder import StackFolder
from local.stack.pulumi import Outcome
from operations.secrets import generate, generate_for_docker
from stacks.ssh_key import public_key
from tests.docker_images import image_settings
from tests.docker_release import docker_settings
from tests.estate_stack import CONSOLE, EstateStack
from tests.machines.estate import Estate
from tests.machines.machine import Machine
from tests.providers.command import CommandPackage, Surroundings
from tests.providers.server import ProviderServer

FOLDER_NAME = ".test-docker"
"""With a dot in front `local status` does not take it for a cluster."""
NAME = "rakazo-1"
ADDRESS = "192.175.48.101"
VERIFY_SECONDS = 240.0
MADE = (
    "/usr/local/lib/rakazo-infra",
    "/var/lib/rakazo-infra",
    "/usr/local/lib/rakazo-docker",
    "/etc/rakazo-infra",
    "/etc/docker/daemon.json",
    "/etc/docker/rakazo-containerd.toml",
    "/etc/systemd/system/rakazo-containerd.service",
    "/etc/systemd/system/docker.service",
    "/etc/systemd/system/rakazo.service",
    "/etc/systemd/system/rakazo-egress.service",
    "/etc/systemd/system/rakazo-egress-keep.service",
    "/etc/systemd/system/rakazo-egress-keep.timer",
    "/usr/local/sbin/rakazo-egress",
    "/usr/local/bin/docker",
    "/var/lib/docker",
)
"""What the stack puts on a machine."""
SERVICES = ("postgres", "migrate", "supervisor", "api", "worker", "web")


@dataclass(frozen=True, kw_only=True)
class EstateDocker:
    """An estate with one machine that is on and has no Docker, and a stack that is to come onto it."""

    estate: Estate
    machine: Machine
    stack: EstateStack
    secrets: Mapping[str, str]
    settings: dict[str, Any]
    """What the stack file says now; a change that is to stay is made here."""

    def write(self, changes: Mapping[str, Any] | None = None) -> None:
        """Write the stack file as it is right for this machine, or with changes."""
        self.stack.write({**self.settings, **(changes or {})})

    def up(self, what: str) -> Outcome:
        """Bring it up, and print how long that took."""
        began = time.monotonic()
        outcome = self.stack.up()
        print(f"{what}: {time.monotonic() - began:.0f} s")
        return outcome

    def verified(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `rakazo-infra verify` on the stack, from where the machine is reached."""
        command = [str(Path(sys.executable).with_name("rakazo-infra")), "verify", "--stack", self.stack.folder.stack]
        return self.estate.operator.run(
            [*command, *arguments], env=self.stack.pulumi.environment, cwd=PROJECT, seconds=VERIFY_SECONDS
        )

    def docker(self, *words: str, check: bool = True) -> str:
        """Run Docker's client on the machine and return what it prints."""
        return self.machine.run(["docker", *words], check=check).stdout

    def containers(self) -> dict[str, str]:
        """Return the container of each service."""
        told = self.docker("ps", "--all", "--no-trunc", "--format", '{{.Label "com.docker.compose.service"}} {{.ID}}')
        return dict(line.split(" ", 1) for line in told.splitlines() if not line.startswith(" "))

    def journal(self) -> str:
        """Return the last that Docker and Rakazo said, for the message of a failure."""
        units = ["--unit=docker", "--unit=rakazo", "--unit=rakazo-egress"]
        return self.machine.run(["journalctl", *units, "--lines=60", "--no-pager"], check=False).stdout

    def there(self, *paths: str) -> list[str]:
        """Return which of the paths exist on the machine."""
        return [path for path in paths if self.machine.run(["test", "-e", path], check=False).returncode == 0]


@contextmanager
def estate_docker(name: str = FOLDER_NAME, changes: Mapping[str, Any] = MappingProxyType({})) -> Iterator[EstateDocker]:
    """Start all of it; nothing is left of it afterwards."""
    secrets = {**generate(), **generate_for_docker()}
    folder = StackFolder(name=name, stack="docker")
    with Estate(PROJECT / ".local" / name / "estate", CONSOLE) as estate:
        shutil.rmtree(folder.state.parent, ignore_errors=True)
        place = estate.operator.inside
        key = public_key(secrets["rakazo:ssh_private_key"])
        machine = estate.machine(NAME, public=ADDRESS, public_keys=[key], shown=estate.registry.trusted)
        machine.start()
        machine.wait_for_cloud_init()
        with ProviderServer([CommandPackage(Surroundings(place=place))], place) as providers:
            made = EstateDocker(
                estate=estate,
                machine=machine,
                stack=EstateStack(estate, providers, folder),
                secrets=secrets,
                settings={**_settings(estate, machine), **changes},
            )
            made.write()
            made.stack.prepare(secrets)
            yield made
            assert providers.faults == []
    shutil.rmtree(folder.cluster)


def shared_docker_settings(estate: Estate) -> dict[str, Any]:
    """Return what stack files with Docker say on any machine: what the mirror and the registry offer, and sizes."""
    return {
        "target.docker": docker_settings(estate, CONSOLE),
        "images": image_settings(estate),
        "computers": {"kind": "docker", "cpu": "1", "memory": "512Mi", "pids": 256, "maximum": 4},
        "application.agent_runtime": "scripted",
    }


def _settings(estate: Estate, machine: Machine) -> dict[str, Any]:
    """Return what the stack file says of this machine."""
    return {
        **shared_docker_settings(estate),
        # cloud-init lets nobody in as root, as on most clouds' Debian.
        "target.ssh": {"user": "debian"},
        "target.machines": [{"name": NAME, "address": ADDRESS, "host_key": host_key(machine)}],
    }


def host_key(machine: Machine) -> str:
    """Return the machine's own host key, as somebody reads it on its console."""
    return " ".join(machine.run(["cat", "/etc/ssh/ssh_host_ed25519_key.pub"]).stdout.split()[:2])
