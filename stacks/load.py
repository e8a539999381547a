"""Read a stack: the only place of the program that looks at configuration."""

from datetime import UTC, date, datetime
from pathlib import Path

import pulumi
from pydantic import ValidationError

from stacks import support
from stacks.docker_stack import DockerStackSettings, is_docker
from stacks.extras import extra_faults
from stacks.faults import render_faults
from stacks.object_name import check_object_name
from stacks.programs import program_faults
from stacks.secrets import Secrets, missing_secrets, read_secrets
from stacks.settings import StackSettings
from stacks.target import ExistingTarget, HetznerTarget, ServerTarget

ROOT = "rakazo:settings"


class StackRefusedError(pulumi.RunError):
    """A stack that cannot be deployed as written. Pulumi prints the message alone, without a traceback."""

    def __init__(self, stack: str, faults: list[str]) -> None:
        listed = "\n  ".join(faults)
        super().__init__(f"stacks/Pulumi.{stack}.yaml is refused:\n  {listed}")


AnyStack = StackSettings | DockerStackSettings
"""A cluster's stack, or one of a machine with Docker."""


def load(config: pulumi.Config) -> tuple[AnyStack, Secrets]:
    """Return settings and secrets of the current stack.

    Raises StackRefusedError with every fault at once, each with its key path and the line to write.
    """
    stack = pulumi.get_stack()
    settings = read_settings(config.get_object("settings"))
    if isinstance(settings, list):
        # Which secrets the target needs is not known yet; those that every stack has are.
        raise StackRefusedError(stack, stack_name_faults(stack) + missing_secrets(config, "existing") + settings)
    if isinstance(settings, DockerStackSettings):
        return settings, _load_docker(config, stack, settings)
    target = settings.target
    bucket = isinstance(target, ServerTarget | HetznerTarget) and target.k3s.snapshots is not None
    faults = stack_name_faults(stack) + missing_secrets(config, target.kind, bucket=bucket) + extra_faults(target.kind)
    faults += program_faults(target.kind)
    faults += kubeconfig_faults(target) if isinstance(target, ExistingTarget) else []
    today = datetime.now(UTC).date()
    faults += support_faults(target.kind, target.kubernetes_version, today)
    if faults:
        raise StackRefusedError(stack, faults)
    for warning in support.warnings(target.kind, target.kubernetes_version, today):
        pulumi.log.warn(warning)
    return settings, read_secrets(config, target.kind, bucket=bucket)


def _load_docker(config: pulumi.Config, stack: str, settings: DockerStackSettings) -> Secrets:
    """Return the secrets of a stack with Docker computers, of which no cluster has to be looked at."""
    target = settings.target
    faults = stack_name_faults(stack) + missing_secrets(config, target.secrets_of) + extra_faults(target.kind)
    if faults:
        raise StackRefusedError(stack, faults)
    return read_secrets(config, target.secrets_of)


def read_settings(document: object) -> AnyStack | list[str]:
    """Return the settings in a document as YAML or JSON gave it, or one line per fault."""
    if document is None:
        return [f"{ROOT} is missing; start from stacks/Pulumi.local.yaml and keep its first line for your editor"]
    model: type[AnyStack] = DockerStackSettings if is_docker(document) else StackSettings
    try:
        return model.model_validate(document)
    except ValidationError as error:
        return render_faults(error, model, ROOT)


def kubeconfig_faults(target: ExistingTarget) -> list[str]:
    """Say that the kubeconfig is not there; the provider would take its path for the text of one."""
    path = Path(target.kubeconfig)
    if path.is_file():
        return []
    return [
        (
            f"{ROOT}.target.kubeconfig names {path}, which is no file below {Path.cwd()}; start the embedded "
            "cluster (rakazo-infra local up), or write the path of a kubeconfig"
        )
    ]


def support_faults(target: str, version: str, today: date) -> list[str]:
    """Say that the release of Kubernetes is retired."""
    reason = support.retired(target, version, today)
    return [] if reason is None else [f"{ROOT}.{reason}"]


def stack_name_faults(stack: str) -> list[str]:
    """Say why a stack cannot be called so. Clouds put its name into the names of what they make."""
    try:
        check_object_name(stack)
    except ValueError as error:
        return [f"the stack's name {error}; write: pulumi stack rename <name>"]
    return []
