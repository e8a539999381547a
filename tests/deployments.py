"""Rakazo on a test's embedded cluster, deployed by the real Pulumi CLI."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import yaml
from kubernetes import client
from rich.console import Console

from local.cluster import way_in
from local.images import ensure as ensure_images
from local.stack.deployment import Deployment
from local.stack.folder import StackFolder
from local.stack.kubernetes_client import api_client
from local.stack.pulumi import Pulumi
from local.stack.rakazo_client import RakazoClient
from operations.secrets import generate
from probes.facts import Facts
from probes.pods import Pods


def image_references(computer: str = "computer-lite") -> dict[str, str]:
    """Return `settings.images` for the stand-ins; `computer` names which of the two desktops is used."""
    built = ensure_images(Console(stderr=True))
    return {
        "app": built["app"].reference,
        "computer": built[computer].reference,
        "postgres": built["postgres"].reference,
    }


@dataclass(frozen=True, kw_only=True)
class Deployed:
    """A stack that is up, and ways to look at it from outside and inside."""

    deployment: Deployment
    url: str
    """The way in on the host's loopback."""
    application: str
    """The application's namespace."""
    computers: str
    """The computers' namespace."""

    @property
    def api(self) -> client.ApiClient:
        """A new client of the cluster's API with the administrator's rights."""
        return api_client(self.deployment.folder.kubeconfig)

    @property
    def rakazo(self) -> RakazoClient:
        """A client of the application."""
        return RakazoClient(self.url)

    def pods(self, namespace: str) -> Pods:
        """The pods of a namespace."""
        return Pods(self.api, namespace)

    def pod_of(self, component: str) -> str:
        """Return the name of a running pod of a service of the application."""
        pods = client.CoreV1Api(self.api).list_namespaced_pod(
            self.application,
            label_selector=f"app.kubernetes.io/component={component}",
            field_selector="status.phase=Running",
        )
        return str(pods.items[0].metadata.name)

    @property
    def images(self) -> Mapping[str, str]:
        """The references that the stack uses."""
        return self.deployment.images


def deployment(
    name: str, *, stack: str = "local", changes: Mapping[str, Any] | None = None, computer: str = "computer-lite"
) -> Deployment:
    """Return the stack on the embedded cluster `name`, not yet up."""
    return Deployment(
        folder=StackFolder(name=name, stack=stack),
        images=image_references(computer),
        port=urlsplit(way_in(name)).port or 0,
        secrets=generate(),
        changes=changes or {},
        stack=stack,
    )


def settings_of(made: Deployment) -> dict[str, Any]:
    """Return the settings that the stack file holds."""
    document = yaml.safe_load(made.folder.stack_file.read_text(encoding="utf-8"))
    settings: dict[str, Any] = document["config"]["rakazo:settings"]
    return settings


def facts_of(deployed: Deployed) -> Facts:
    """Return what the stack says about itself."""
    pulumi = Pulumi(deployed.deployment.folder, deployed.deployment.stack)
    return Facts.unpack(json.loads(pulumi.must("stack", "output", "--json"))["facts"])


def changes(up_output: str) -> dict[str, int]:
    """Return what an `up` did to how many resources, as `{"updated": 1}`; what it left alone is left out."""
    _, _, said = up_output.partition("\nResources:\n")
    counts = re.findall(r"(\d+) (\w+)$", said.partition("\n\n")[0], flags=re.MULTILINE)
    return {did: int(count) for count, did in counts if did != "unchanged"}


def steps(preview_json: str) -> dict[str, list[str]]:
    """Return operation to resource names of a `pulumi preview --json`; what is unchanged or only read is left out."""
    found: dict[str, list[str]] = {}
    for step in json.loads(preview_json)["steps"]:
        if step["op"] not in ("same", "read"):
            found.setdefault(step["op"], []).append(step["urn"].rpartition("::")[2])
    return found
