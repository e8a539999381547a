"""Every committed stack file, deployed on the recording engine."""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from components.deployment import deploy
from probes.facts import Facts
from stacks.docker_stack import DockerStackSettings, is_docker
from stacks.settings import StackSettings
from tests.unit.clouds import aws, digitalocean, gke
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.outputs import hetzner
from tests.unit.recorder import Recorder, Registered, record

ROOT = Path(__file__).parents[2]
STACK_FILES = sorted((ROOT / "stacks").glob("Pulumi.*.yaml"))
_NAMES = [path.name.split(".")[1] for path in STACK_FILES]


@functools.cache
def stack_file(name: str) -> dict[str, Any]:
    """Return the configuration of a stack file."""
    document = yaml.safe_load((ROOT / "stacks" / f"Pulumi.{name}.yaml").read_text(encoding="utf-8"))
    config: dict[str, Any] = document["config"]
    return config


DOCKER_NAMES = [name for name in _NAMES if is_docker(stack_file(name)["rakazo:settings"])]
"""Stacks without a cluster, of which other things hold than of all the others."""
STACK_NAMES = [name for name in _NAMES if name not in DOCKER_NAMES]


def settings_of(name: str) -> StackSettings:
    """Return the settings of a stack file."""
    return StackSettings.model_validate(stack_file(name)["rakazo:settings"])


def docker_settings_of(name: str) -> DockerStackSettings:
    """Return the settings of a stack file without a cluster."""
    return DockerStackSettings.model_validate(stack_file(name)["rakazo:settings"])


def deployed(name: str) -> Recorder:
    """Return what a stack file deploys, with invented secrets."""
    return _run(name)[0]


def exported(name: str) -> frozenset[str]:
    """Return the keys of what a stack file's deployment tells."""
    return _run(name)[1]


@functools.cache
def _run(name: str) -> tuple[Recorder, frozenset[str]]:
    settings: StackSettings | DockerStackSettings
    if name in DOCKER_NAMES:
        settings = docker_settings_of(name)
        secrets = secrets_of(settings.target.secrets_of)
    else:
        settings = settings_of(name)
        secrets = secrets_of(settings.target.kind)
    told = dict[str, Any]()
    recorder = record(
        lambda: told.update(deploy(settings, secret_outputs(**secrets))),
        answers={**hetzner(), **digitalocean.answers(), **gke.answers(), **aws.answers()},
    )
    return recorder, frozenset(told)


def facts_of(recorder: Recorder) -> Facts:
    """Return what a deployed stack knows about itself, as its gate holds it."""
    return Facts.model_validate_json(recorder.only("ConfigMap", name="rakazo-isolation").inputs["data"]["facts"])


def pods(recorder: Recorder) -> Iterator[tuple[Registered, dict[str, Any], dict[str, str]]]:
    """Every pod template of Rakazo with the workload it belongs to: workload, spec, labels.

    A daemon set is the node installer's, which has rules of its own.
    """
    for resource in recorder.kubernetes:
        if resource.kind == "DaemonSet":
            continue
        template = resource.inputs.get("spec", {}).get("template")
        if isinstance(template, dict) and "spec" in template:
            yield resource, template["spec"], template["metadata"]["labels"]


def containers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Every container of a pod, init containers included."""
    return [*spec.get("initContainers", []), *spec["containers"]]
