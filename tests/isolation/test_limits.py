"""Limits hold: the greedy computer is stopped, its neighbour lives, and the quota ends where it says."""

import time

import pytest
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from stacks.quantity import size_bytes
from tests.deployments import Deployed
from tests.isolation.conftest import Computer
from tests.rakazo_account import as_computer, as_rakazo

HOG = ["python3", "-c", "held = []\nwhile True:\n held.append(bytearray(16 << 20)); print(len(held) * 16, flush=True)"]
"""Takes memory and prints after each step how many MiB it holds."""


KILLED = 137
"""128 and the number of SIGKILL."""


def test_a_computer_that_takes_memory_without_end_is_stopped_and_its_neighbour_is_not(
    deployed: Deployed, neighbour: Computer
) -> None:
    """The memory limit is real under gVisor: the pod's own sandbox is killed, nothing else.

    Its cgroup holds the whole pod, gVisor's own memory included, so the limit is the container's and the overhead.
    """
    pods, watching = as_rakazo(deployed), deployed.pods(deployed.computers)
    pod = as_computer("hog", deployed, HOG)
    pod["spec"]["restartPolicy"] = "Never"
    pods.create(pod)
    core = client.CoreV1Api(deployed.api)
    try:
        deadline = time.monotonic() + 120
        while core.read_namespaced_pod("hog", deployed.computers).status.phase != "Failed":
            assert time.monotonic() < deadline, watching.explain("hog")
            time.sleep(0.5)
        ended = core.read_namespaced_pod("hog", deployed.computers)
        told, held = watching.explain("hog"), watching.log("hog").split()
    finally:
        watching.delete("hog")
    # Its policies were waited for, it then ran, and what ended it is its memory: not any other failure.
    assert [each.state.terminated.exit_code for each in ended.status.init_container_statuses] == [0], told
    (computer,) = [each.state.terminated for each in ended.status.container_statuses]
    assert computer.reason == "OOMKilled" or computer.exit_code == KILLED, told
    limit = size_bytes(ended.spec.containers[0].resources.limits["memory"]) + size_bytes(ended.spec.overhead["memory"])
    assert limit // 2 < int(held[-1]) << 20 <= limit, f"it held {held[-1]} MiB when it was stopped"
    assert deployed.rakazo.execute(neighbour.name, ["echo", "alive"]).stdout.strip() == "alive"


def test_a_pod_without_limits_gets_the_configured_ones(deployed: Deployed) -> None:
    """B064: a quota on memory would refuse every computer without a LimitRange."""
    made = as_rakazo(deployed).create(as_computer("bare", deployed), dry_run=True)
    resources = made.spec.containers[0].resources
    assert resources.limits["memory"]
    assert resources.limits["cpu"]
    assert resources.limits["ephemeral-storage"]


def test_the_quota_refuses_what_is_over_it(deployed: Deployed) -> None:
    """B064, B129: stray computers end at the quota, with its name in the refusal."""
    pod = as_computer("too-much", deployed)
    pod["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "1000", "memory": "4000Gi"}}
    with pytest.raises(ApiException) as refused:
        as_rakazo(deployed).create(pod, dry_run=True)
    assert "exceeded quota" in str(refused.value.body) or "maximum" in str(refused.value.body)
