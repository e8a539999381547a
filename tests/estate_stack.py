"""A stack on the machines of an estate: the committed stack file, completed with what only the estate knows."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from local.stack.folder import StackFolder
from local.stack.pulumi import Outcome, Pulumi
from tests import k3s
from tests.committed_stack import write_committed
from tests.deployments import image_references
from tests.gvisor_release import gvisor_tarball
from tests.k3s.airgap import CLUSTER, FOLDER
from tests.machines.addresses import OPERATOR
from tests.machines.boot import TOOLS
from tests.machines.estate import Estate
from tests.providers.server import ProviderServer

VERSION, RELEASE = "v1.36.2+k3s1", "20261116.0"
K3S = f"k3s/{VERSION}/k3s"
GVISOR = f"gvisor/{RELEASE}/x86_64/gvisor.tar.bz2"
CONSOLE = Console(stderr=True)
SMALL: Mapping[str, Any] = {
    "application.public": {"scheme": "http", "host": "localhost", "port": 30173},
    "application.agent_runtime": "scripted",
    "application.data_volume": "2Gi",
    "application.postgres_volume": "1Gi",
    "computers": {
        "cpu": "2",
        "memory": "2Gi",
        "reserve": {"cpu": "50m", "memory": "128Mi", "ephemeral_storage": "128Mi"},
        "ephemeral_storage": "2Gi",
        "maximum": 12,
    },
}
"""Sizes for machines of the tests, and the stand-in's runtime."""

UP = ("up", "--yes", "--skip-preview", "--suppress-progress")
DESTROY = ("destroy", "--yes", "--skip-preview", "--suppress-progress")


class EstateStack:
    """One stack whose CLI, provider sockets and SSH connections are all in the operator's network."""

    def __init__(self, estate: Estate, providers: ProviderServer, folder: StackFolder) -> None:
        """Nothing is written before :meth:`write`."""
        self.folder = folder
        within = estate.operator.command([])
        self.pulumi = Pulumi(folder, folder.stack, within=within, more=providers.environment)

    def write(self, changes: Mapping[str, Any]) -> None:
        """Write the stack file: the committed one of this name, with `changes` by dotted path below its settings.

        Secrets that were set before are kept.
        """
        write_committed(self.folder.stack_file, changes)

    def prepare(self, secrets: Mapping[str, str]) -> None:
        """Create the stack in its file backend and set the secrets that it lacks."""
        self.pulumi.ensure_stack()
        self.pulumi.ensure_secrets(dict(secrets))

    def up(self) -> Outcome:
        """Bring it up."""
        return self.pulumi.run(*UP)

    def destroy(self) -> Outcome:
        """Take it down."""
        return self.pulumi.run(*DESTROY)

    def state(self) -> str:
        """Return the state as Pulumi stores it."""
        return self.pulumi.must("stack", "export")


def checksum(path: Path, kind: str) -> str:
    """Return the file's checksum in hexadecimal digits; `kind` is sha256 or sha512."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def shown() -> dict[str, Path]:
    """Return what every machine is given: programs for the stand-in of k3s, and images that it cannot pull here."""
    images = k3s.airgap_images(CONSOLE, (*CLUSTER, "app", "computer-lite", "postgres"))
    return {TOOLS: k3s.programs(CONSOLE), FOLDER: images}


def shared_settings(estate: Estate) -> dict[str, Any]:
    """Return what stack files of machines say of the mirror, which serves both programs from then on."""
    program, tarball = k3s.build(VERSION), gvisor_tarball(CONSOLE)
    estate.mirror.serve(K3S, program)
    estate.mirror.serve(GVISOR, tarball)
    return {
        **SMALL,
        "images": image_references(),
        "target.admin_cidrs": [f"{OPERATOR}/32"],
        "target.k3s": {
            "version": VERSION,
            "sha256": checksum(program, "sha256"),
            "mirror": f"{estate.mirror.url}/k3s",
        },
        "target.gvisor": {
            "release": RELEASE,
            "sha512": checksum(tarball, "sha512"),
            "mirror": f"{estate.mirror.url}/gvisor",
        },
    }
