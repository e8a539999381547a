"""What a stack says about itself, read through the Pulumi CLI."""

import json
import shutil
import subprocess

from pydantic import ValidationError

from operations.failure import OperationError
from probes.docker.facts import DockerFacts, is_docker
from probes.facts import Facts

OUTPUT = "facts"
KUBECONFIG = "kubeconfig"
SSH_PRIVATE_KEY = "ssh_private_key"


def pulumi(*arguments: str, stack: str | None) -> str:
    """Return what a command of the Pulumi CLI prints; OperationError with what it said when it fails."""
    if shutil.which("pulumi") is None:
        raise OperationError(
            "the Pulumi CLI is not on PATH, and the stack's facts come from its outputs; install it, or for the "
            'embedded cluster type: eval "$(rakazo-infra local env)"'
        )
    chosen = ["--stack", stack] if stack else []
    done = subprocess.run(
        ["pulumi", *arguments, *chosen, "--non-interactive"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        which = f"stack {stack}" if stack else "the selected stack (choose one with --stack)"
        raise OperationError(f"pulumi {' '.join(arguments)} failed for {which}: {done.stderr.strip()[-800:]}")
    return done.stdout


def facts_of(stack: str | None) -> Facts | DockerFacts:
    """Return the facts of a stack that is up; OperationError when it is not, or was deployed by another release."""
    outputs = json.loads(pulumi("stack", "output", "--json", stack=stack))
    if OUTPUT not in outputs:
        raise OperationError(
            f"the stack has no output {OUTPUT!r}: it is not up, or a release before this one deployed it. "
            "Bring it up with: pulumi up"
        )
    try:
        packed = outputs[OUTPUT]
        return DockerFacts.unpack(packed) if is_docker(packed) else Facts.unpack(packed)
    except ValidationError as error:
        keys = ", ".join(sorted({".".join(map(str, each["loc"])) for each in error.errors()}))
        raise OperationError(
            f"the stack's output {OUTPUT!r} is another release's ({keys}): run `pulumi up` with this one first"
        ) from error
    except ValueError as error:
        raise OperationError(f"the stack's output {OUTPUT!r} {error}: run `pulumi up` with this release") from error


def kubeconfig_of(stack: str | None) -> str | None:
    """Return the way to a cluster that the stack made itself, which is secret; None when somebody else made it."""
    if KUBECONFIG not in json.loads(pulumi("stack", "output", "--json", stack=stack)):
        return None
    return pulumi("stack", "output", KUBECONFIG, "--show-secrets", stack=stack)


def private_key_of(stack: str | None) -> str | None:
    """Return the key that logs in to the stack's machine, which is secret; None when the SSH agent has it."""
    known = json.loads(pulumi("config", "--json", stack=stack))
    if f"rakazo:{SSH_PRIVATE_KEY}" not in known:
        return None
    return pulumi("config", "get", f"rakazo:{SSH_PRIVATE_KEY}", stack=stack)


def state_of(stack: str | None) -> str:
    """Return the stack's state as Pulumi stores it, secrets encrypted."""
    return pulumi("stack", "export", stack=stack)
