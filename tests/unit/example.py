"""An example stack for tests: the committed local one, with changes by key path and invented secrets."""

import copy
import functools
from pathlib import Path
from typing import Any

import pulumi
import yaml

from components.deployment import deploy
from operations.secrets import generate_for_machines
from stacks.secrets import TAKEN_BY, Secrets
from stacks.settings import StackSettings
from tests.unit.recorder import Recorder, record

STACK_FILE = Path(__file__).parents[2] / "stacks" / "Pulumi.local.yaml"

SECRETS = {
    "encryption_key": "0123456789abcdef" * 4,
    "better_auth_secret": "123456789abcdef0" * 4,
    "screen_proxy_secret": "23456789abcdef01" * 4,
    "postgres_owner_password": "3456789abcdef012" * 2,
    "postgres_app_password": "456789abcdef0123" * 2,
}
MACHINE_SECRETS = {
    "digitalocean_token": f"dop_v1_{'0123456789abcdef' * 4}",
    "hcloud_token": "HcloudTokenOfNobody0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHI",
    "supervisor_token": "6789abcdef012345" * 4,
    "cluster_token": "56789abcdef01234" * 4,
    "ssh_private_key": generate_for_machines()["rakazo:ssh_private_key"],
}
"""What a stack has beside them when its target makes machines into a cluster."""
BUCKET_SECRETS = {"s3_access_key": "AKIAINVENTED", "s3_secret_key": "invented/secret+of/a+bucket"}
"""What it has when snapshots of the cluster go into a bucket."""


def document(**changes: Any) -> dict[str, Any]:
    """Return settings as YAML gives them; `application__public__port=8080` changes a key, None removes it."""
    settings = copy.deepcopy(_committed())
    for path, value in changes.items():
        *parents, last = path.split("__")
        section = settings
        for parent in parents:
            section = section.setdefault(parent, {})
        if value is None:
            section.pop(last, None)
        else:
            section[last] = value
    return settings


@functools.cache
def _committed() -> dict[str, Any]:
    settings = yaml.safe_load(STACK_FILE.read_text())["config"]["rakazo:settings"]
    assert isinstance(settings, dict)
    return settings


def settings(**changes: Any) -> StackSettings:
    """Return the example's settings with changes."""
    return StackSettings.model_validate(document(**changes))


def secret_outputs(**changes: str) -> Secrets:
    """Return the example's secrets with changes, as `load` gives them; only inside a running program."""
    return Secrets(**{key: pulumi.Output.secret(value) for key, value in (SECRETS | changes).items()})


def secrets_of(target: str) -> dict[str, str]:
    """Return every invented secret that a stack with this kind of target takes."""
    return SECRETS | {key: MACHINE_SECRETS[key] for key in TAKEN_BY[target]}


def deployed(secrets: dict[str, str] | None = None, **changes: Any) -> Recorder:
    """Return the recorded deployment of the example with changes."""
    return record(lambda: deploy(settings(**changes), secret_outputs(**(secrets or {}))))


@functools.cache
def example() -> Recorder:
    """Return the recorded deployment of the unchanged example; whoever asks gets the same one."""
    return deployed()


@functools.cache
def by_limits() -> Recorder:
    """Return the example without a reserve, on storage that several nodes share."""
    return deployed(computers__reserve=None, target__storage__shared=True)


def pod_of(recorder: Recorder, component: str) -> dict[str, Any]:
    """Return the pod template's spec of a service."""
    (workload,) = (
        resource
        for kind in ("Deployment", "StatefulSet", "Job")
        for resource in recorder.of_kind(kind)
        if resource.metadata["labels"]["app.kubernetes.io/component"] == component
    )
    spec: dict[str, Any] = workload.inputs["spec"]["template"]["spec"]
    return spec


def variables_of(recorder: Recorder, component: str) -> dict[str, Any]:
    """Return a service's variables: text, or Secret and key in a tuple."""
    (container,) = pod_of(recorder, component)["containers"]
    variables = {}
    for variable in container["env"]:
        reference = variable.get("valueFrom", {}).get("secretKeyRef", {})
        variables[variable["name"]] = variable.get("value") or (reference["name"], reference["key"])
    return variables
