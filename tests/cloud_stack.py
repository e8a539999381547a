"""A committed stack file of a managed cloud, on the real CLI: stand-in providers, and an embedded cluster behind them.

The stand-in's cluster resource hands out the embedded cluster, so the application really runs and its gate really
looks. Nothing is proven about the cloud beyond the stand-in's tables.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console

from local import cluster as embedded
from local.cluster import ClusterFolder
from local.stack.environment import environment
from local.stack.folder import StackFolder
from local.stack.pulumi import Outcome, Pulumi
from operations.secrets import generate
from tests.cloud_credentials import CloudCredentials
from tests.committed_stack import write_committed
from tests.deployments import image_references, steps
from tests.providers.package import Package
from tests.providers.server import ProviderServer

CONSOLE = Console(stderr=True)
UP = ("up", "--yes", "--skip-preview", "--suppress-progress")
DESTROY = ("destroy", "--yes", "--skip-preview", "--suppress-progress")


@dataclass(frozen=True, kw_only=True)
class CloudStack:
    """One stack, the cloud that it is to come into, and the cluster that it gets there."""

    name: str
    credentials: CloudCredentials
    folder: StackFolder
    pulumi: Pulumi
    providers: ProviderServer
    secrets: Mapping[str, str] = field(repr=False)
    settings: Mapping[str, Any]
    """What every stack file of the test differs in from the committed one, by dotted path."""

    def write(self, changes: Mapping[str, Any] | None = None) -> None:
        """Write the stack file as it is right here, or with changes."""
        write_committed(self.folder.stack_file, {**self.settings, **(changes or {})})

    def up(self) -> Outcome:
        """Bring it up."""
        return self.pulumi.run(*UP)

    def destroy(self, *more: str) -> Outcome:
        """Take it down; `more` are options of the CLI."""
        return self.pulumi.run(*DESTROY, *more)

    def plan(self, changes: Mapping[str, Any]) -> dict[str, list[str]]:
        """Return what these changes would do, as operation to names; the stack file is afterwards as before."""
        before = self.folder.stack_file.read_bytes()
        self.write(changes)
        try:
            return steps(self.pulumi.must("preview", "--json"))
        finally:
            self.folder.stack_file.write_bytes(before)

    def refusal(self, changes: Mapping[str, Any]) -> str:
        """Return what a preview that has to fail says; the stack file is afterwards as before."""
        before = self.folder.stack_file.read_bytes()
        self.write(changes)
        outcome = self.pulumi.run("preview")
        self.folder.stack_file.write_bytes(before)
        assert outcome.code != 0, outcome.output
        return outcome.output

    def leaks(self) -> list[str]:
        """Return where a secret of the stack can be read: in the state, a plan or the outputs."""
        texts = {
            "state": self.pulumi.must("stack", "export"),
            "plan": self.pulumi.must("preview", "--json"),
            "outputs": self.pulumi.must("stack", "output", "--json"),
        }
        return [
            f"{key} in {where}"
            for key, value in self.secrets.items()
            for form in (value, json.dumps(value)[1:-1])
            for where, text in texts.items()
            if form in text
        ]

    def count(self) -> int:
        """Return how many resources the stack has, its components and providers included."""
        return len(json.loads(self.pulumi.must("stack", "export"))["deployment"]["resources"])

    def put_program(self, name: str, text: str) -> None:
        """Put a program onto the CLI's PATH, before all others."""
        file = programs_of(self.folder) / name
        file.write_text(text, encoding="utf-8")
        file.chmod(0o700)

    def put_exec_plugin(self, name: str, version: str = "v1beta1") -> None:
        """Put a program there that answers as a cloud's credential plugin does, with a token of now."""
        answer = {
            "apiVersion": f"client.authentication.k8s.io/{version}",
            "kind": "ExecCredential",
            "status": {"token": self.credentials.token()},
        }
        self.put_program(name, f"#!/bin/sh\ncat <<'END'\n{json.dumps(answer)}\nEND\n")


def programs_of(folder: StackFolder) -> Path:
    """Return the folder whose programs the CLI finds first."""
    return folder.cluster / "programs"


@contextmanager
def cloud_stack(
    stack: str,
    packages: Callable[[CloudCredentials], Sequence[Package]],
    *,
    settings: Mapping[str, Any],
    secrets: Mapping[str, str] | None = None,
    storage_classes: Sequence[str] = (),
    start: Callable[[str, Console], object] = embedded.up,
) -> Iterator[CloudStack]:
    """Start all of it for `stacks/Pulumi.<stack>.yaml`; nothing is left of it afterwards.

    `packages` makes the stand-ins, whose cluster resource hands out what the credentials say. `settings` are the
    cloud's facts where the embedded cluster's differ, by dotted path; sizes, images and the way in are here already.
    `start` brings up the embedded cluster of a name, in another layout than the usual where a test needs one.
    """
    name = f"cloud-{stack}"
    embedded.down(name, CONSOLE)
    folder = StackFolder(name=name, stack=stack)
    try:
        start(name, CONSOLE)
        credentials = CloudCredentials(ClusterFolder(name).kubeconfig)
        credentials.make_classes(*storage_classes)
        programs_of(folder).mkdir(mode=0o700)
        with ProviderServer(packages(credentials)) as providers:
            # Neither the embedded administrator's kubeconfig nor anybody's account at the cloud is at hand.
            more = {
                **providers.environment,
                "KUBECONFIG": os.devnull,
                "HOME": str(folder.temporary),
                "PATH": os.pathsep.join((str(programs_of(folder)), environment(folder)["PATH"])),
            }
            made = CloudStack(
                name=stack,
                credentials=credentials,
                folder=folder,
                pulumi=Pulumi(folder, stack, more=more),
                providers=providers,
                secrets={**generate(), **(secrets or {})},
                settings={**small_settings(name), **settings},
            )
            made.write()
            made.pulumi.ensure_stack()
            made.pulumi.ensure_secrets(dict(made.secrets))
            yield made
            assert providers.faults == []
    finally:
        embedded.down(name, CONSOLE)


def small_settings(cluster: str) -> dict[str, Any]:
    """Return sizes for the embedded cluster, the stand-in images, and the way in through its door."""
    return {
        "application.public": {
            "scheme": "http",
            "host": "localhost",
            "port": urlsplit(embedded.way_in(cluster)).port,
        },
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
        "edge": {"kind": "node-port", "api": 30100},
        "images": image_references(),
    }
