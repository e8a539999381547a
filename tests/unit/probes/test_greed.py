"""What a limit really is, what the figures beside it mean, and that the programs count."""

import subprocess
from typing import Any

import pytest
from kubernetes import client

from probes import greed
from probes.greed import MIB, Enforced


def container(memory: str, cpu: str, books: str | None = None) -> client.V1Container:
    requests = {"memory": books} if books else None
    resources = client.V1ResourceRequirements(limits={"memory": memory, "cpu": cpu}, requests=requests)
    return client.V1Container(name="c", resources=resources)


def pod(*containers: client.V1Container, **more: Any) -> client.V1Pod:
    return client.V1Pod(spec=client.V1PodSpec(containers=list(containers), **more))


COMPUTER = container("256Mi", "200m")
WAIT = container("2Gi", "2")
OVERHEAD = {"memory": "96Mi", "cpu": "50m"}


def test_under_runc_a_computer_is_held_to_its_own_limits() -> None:
    waiting = pod(COMPUTER, init_containers=[WAIT])
    assert greed.enforced(waiting, "runc") == Enforced(memory=256 * MIB, cpu=200)


def test_under_gvisor_a_computer_is_held_to_what_its_whole_pod_may_have() -> None:
    """All containers are one process there; the wait before the computer is larger than this computer."""
    waiting = pod(COMPUTER, init_containers=[WAIT], overhead=OVERHEAD)
    assert greed.enforced(waiting, "gvisor") == Enforced(memory=(2048 + 96) * MIB, cpu=2050)


def test_without_a_wait_or_an_overhead_the_containers_alone_count() -> None:
    assert greed.enforced(pod(COMPUTER), "gvisor") == Enforced(memory=256 * MIB, cpu=200)
    assert greed.enforced(pod(COMPUTER, COMPUTER), "gvisor") == Enforced(memory=512 * MIB, cpu=400)


def test_a_container_without_a_limit_has_no_limit_to_speak_of() -> None:
    unlimited = client.V1Container(name="c", resources=client.V1ResourceRequirements(limits={"memory": "1Gi"}))
    with pytest.raises(KeyError, match="cpu"):
        greed.enforced(pod(unlimited), "runc")


def test_what_the_scheduler_books_is_the_larger_of_the_containers_and_the_wait_and_the_overhead() -> None:
    small, large = container("2Gi", "2", "128Mi"), container("2Gi", "2", "512Mi")
    assert greed.booked_memory(pod(small, init_containers=[large], overhead=OVERHEAD)) == (512 + 96) * MIB
    assert greed.booked_memory(pod(small, small)) == 256 * MIB
    assert greed.booked_memory(pod(client.V1Container(name="c"))) == 0


@pytest.mark.parametrize(
    ("limit", "mine", "without", "holds"),
    [
        (0.2, 0.21, 1.0, True),
        (0.2, 0.9, 1.0, False),
        (2.05, 1.95, 2.0, None),
        (1.05, 1.05, 1.9, True),
        (1.05, 1.9, 1.9, False),
    ],
    ids=["kept", "broken", "the node has no more", "half of the node kept", "half of the node broken"],
)
def test_a_processor_limit_is_kept_only_where_more_was_to_be_had(
    limit: float, mine: float, without: float, holds: bool | None
) -> None:
    assert greed.holds_back(limit, mine, without) is holds


@pytest.mark.parametrize(("log", "figure"), [("", 0), ("32\n64\n96\n", 96), ("32\nMemoryError\n", 32)])
def test_the_last_figure_of_a_log_is_what_was_taken(log: str, figure: int) -> None:
    assert greed.last_figure(log) == figure


def run(command: list[str]) -> int:
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return greed.last_figure(ran.stdout)


def test_the_processor_program_adds_up_the_time_that_its_processes_had() -> None:
    """Each had at most all of it; on a busy machine less."""
    assert 0 < run(greed.use_processors(0.2, 2)) <= 400


def test_the_program_that_starts_tasks_says_how_many_there_were() -> None:
    assert run(greed.start_tasks(20)) == 20


def test_a_refusal_ends_the_program_that_starts_tasks_and_is_told() -> None:
    """The limit is the shell's own here, of open address space; a cgroup's gives the same error."""
    command = greed.start_tasks(5000)
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -v 200000; exec "$@"', "-", *command], capture_output=True, text=True, check=True
    )
    assert 1 < greed.last_figure(limited.stdout) < 5000
