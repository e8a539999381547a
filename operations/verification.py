"""One verification, by what the stack runs on: what goes wrong on the way is told as an OperationError."""

from collections.abc import Callable, Iterable
from pathlib import Path

from kubernetes.client.exceptions import ApiException
from urllib3.exceptions import HTTPError

from operations.failure import OperationError
from operations.stack_facts import kubeconfig_of, private_key_of, state_of
from probes.claim import Claim
from probes.docker.facts import DockerFacts
from probes.facts import Facts
from probes.prober import ProbeError
from probes.verification import Verification

STATE = "the stack's state"


def claims_of(facts: Facts | DockerFacts) -> Iterable[Claim]:
    """Return every claim about a stack, with nothing but its facts known."""
    if isinstance(facts, DockerFacts):
        from probes.docker import claims as of_docker
        from probes.docker.surroundings import Around

        return of_docker.every_claim(facts, Around())
    from probes.claims import every_claim
    from probes.surroundings import Surroundings

    return every_claim(facts, Surroundings())


def run_in_cluster(
    facts: Facts, kubeconfig: Path | None, only: list[str], stack: str | None, tell: Callable[[str], None]
) -> Verification:
    """Verify a stack of a cluster; OperationError when that cannot be done."""
    from probes.access import AccessError, connect
    from probes.pods import said
    from probes.stage import StageError
    from probes.verification import verify

    try:
        way = str(kubeconfig) if kubeconfig else kubeconfig_of(stack) or str(Path("~/.kube/config").expanduser())
        operator = connect(way, facts.context)
        return verify(operator, facts, only=only, documents={STATE: state_of(stack)}, tell=tell)
    except ApiException as error:
        hint = "; `rakazo-infra verify --rights` prints what it needs" if error.status in (401, 403) else ""
        raise OperationError(f"the API server refused: {said(error)}{hint}") from error
    except HTTPError as error:
        raise OperationError(f"the API server at {facts.context} does not answer: {error}") from error
    except (AccessError, StageError, ProbeError, ValueError, OSError) as error:
        raise OperationError(str(error)) from error


def run_on_machine(facts: DockerFacts, only: list[str], stack: str | None, tell: Callable[[str], None]) -> Verification:
    """Verify a stack with Docker computers over SSH; OperationError when that cannot be done."""
    from probes.docker.machine import Machine, way_to
    from probes.docker.verification import verify_docker

    try:
        with Machine(way_to(facts, private_key_of(stack))) as machine:
            return verify_docker(machine, facts, only=only, documents={STATE: state_of(stack)}, tell=tell)
    except (ProbeError, ValueError, OSError) as error:
        raise OperationError(str(error)) from error
