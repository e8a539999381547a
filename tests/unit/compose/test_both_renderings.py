"""One table, two renderings: what a service is given in a cluster it is given by Compose, and the other way round.

What is different between the two ways is listed here once more, so that nothing else can become different.
"""

import functools
from typing import Any

import pytest

from components.compose.environment import secret_lines
from components.rakazo.docker_services import DOCKER_SERVICES
from components.rakazo.services import SERVICES
from components.service import SecretValue
from tests.unit.compose.example import services
from tests.unit.example import deployed, pod_of, variables_of
from tests.unit.recorder import Recorder

KUBERNETES = {
    "KUBERNETES_SANDBOX_NAMESPACE",
    "KUBERNETES_SANDBOX_COMPUTER_IMAGE",
    "KUBERNETES_SANDBOX_RUNTIME_CLASS_NAME",
    "KUBERNETES_SANDBOX_CPU_LIMIT",
    "KUBERNETES_SANDBOX_MEMORY_LIMIT",
}
DOCKER = {"SANDBOX_SUPERVISOR_URL", "SANDBOX_MAX_COMPUTERS_PER_SPACE"}
TOKEN = "SANDBOX_SUPERVISOR_TOKEN"
MAKE_COMPUTERS = {"api", "worker"}
DIFFERENT = {"SANDBOX_PROVIDER", "API_URL", "BETTER_AUTH_URL", "WEB_ORIGIN", "RAKAZO_HOST", "AGENT_RUNTIME"}
"""Variables whose values differ because the two example stacks do, or because the way does."""
COMMON = ["postgres", "migrate", "api", "worker", "web"]
every_service = pytest.mark.parametrize("name", COMMON)


def secrets_by_service() -> dict[str, set[str]]:
    """Return the names that each service reads from its own file and the kept one, as the machine is told them."""
    lines = secret_lines(DOCKER_SERVICES, dict.fromkeys(SecretValue, "x"))
    by_file: dict[str, set[str]] = {}
    for line in lines.splitlines():
        file, assignment = line.split(" ", 1)
        by_file.setdefault(file, set()).add(assignment.partition("=")[0])
    return {
        name: set().union(
            *(by_file[path["path"].rpartition("/")[2].removesuffix(".env")] for path in service["env_file"])
        )
        for name, service in services().items()
    }


@functools.cache
def cluster() -> Recorder:
    """A stack with every variable that there is: limits are written out where nothing is reserved."""
    return deployed({"openrouter_api_key": "sk-x", "anthropic_api_key": "sk-y"}, computers__reserve=None)


def in_cluster(name: str) -> tuple[dict[str, str], set[str]]:
    everything: dict[str, Any] = variables_of(cluster(), name)
    plain = {key: value for key, value in everything.items() if isinstance(value, str)}
    return plain, set(everything) - set(plain)


@every_service
def test_both_have_the_same_variables(name: str) -> None:
    plain, _ = in_cluster(name)
    composed = services()[name]["environment"]
    more, less = (DOCKER, KUBERNETES) if name in MAKE_COMPUTERS else (set(), set())
    assert set(composed) - more == set(plain) - less
    assert more <= set(composed)
    same = set(composed) & set(plain) - DIFFERENT
    assert {key: composed[key] for key in same} == {key: plain[key] for key in same}


@every_service
def test_both_have_the_same_secrets(name: str) -> None:
    _, secret = in_cluster(name)
    more = {TOKEN} if name in MAKE_COMPUTERS else set()
    assert secrets_by_service()[name] == secret | more


def test_the_supervisor_has_its_token_and_no_other_secret() -> None:
    assert secrets_by_service()["supervisor"] == {TOKEN}


@every_service
def test_both_run_the_same_program_as_the_same_user_with_the_same_limits(name: str) -> None:
    (container,) = pod_of(cluster(), name)["containers"]
    composed = services()[name]
    assert composed.get("entrypoint") == container.get("command")
    assert composed.get("working_dir") == container.get("workingDir")
    assert int(composed["user"].partition(":")[0]) == pod_of(cluster(), name)["securityContext"]["runAsUser"]
    assert f"{composed['mem_limit']}i".replace("mi", "Mi") == container["resources"]["limits"]["memory"]
    assert f"{int(composed['cpus'] * 1000)}m" == container["resources"]["limits"]["cpu"]
    mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounted == {each.partition(":")[0] for each in composed["tmpfs"]} | {
        mount["target"] for mount in composed.get("volumes", [])
    }


@every_service
def test_what_a_service_must_not_have_it_has_in_neither(name: str) -> None:
    (row,) = [service for service in DOCKER_SERVICES if service.name == name]
    (cluster,) = [service for service in SERVICES if service.name == name]
    held = set(services()[name]["environment"]) | secrets_by_service()[name]
    assert held & row.forbidden == set()
    assert cluster.forbidden - row.forbidden <= {TOKEN}
    assert (TOKEN in row.forbidden) is (name not in MAKE_COMPUTERS)
    assert (row.forbidden >= KUBERNETES) is (name in MAKE_COMPUTERS)
