"""A node that is waited for, and its place among the pools."""

import pytest

from tests.unit.cluster.conftest import VERSION, Bench
from tests.unit.cluster.example import SERVERS

CONDITIONS = 'echo "Conditions:"; echo " Ready False NotReady"'
READY = f'case "$*" in *status.conditions*nodeInfo*) echo -n "True {VERSION}" ;; *describe*) {CONDITIONS} ;; esac'


@pytest.fixture(autouse=True)
def delivered(bench: Bench) -> None:
    bench.deliver(SERVERS[0])
    bench.machine.program("k3s", READY)


@pytest.mark.parametrize(
    ("pool", "label", "taint"),
    [
        ("computers", "computers", "rakazo-infra/pool=computers:NoSchedule --overwrite"),
        ("system", "system", "rakazo-infra/pool-"),
        ("all", "computers", "rakazo-infra/pool-"),
    ],
)
def test_a_node_has_the_label_and_the_taint_of_its_pool(bench: Bench, pool: str, label: str, taint: str) -> None:
    """B047: k3s writes both only when a node is new, and settings change."""
    done = bench.machine.step("settle", "digest", "rakazo-2", pool)
    assert done.returncode == 0, done.stderr
    assert bench.machine.calls("k3s")[1:3] == [
        f"k3s kubectl label node rakazo-2 rakazo-infra/pool={label} --overwrite",
        f"k3s kubectl taint node rakazo-2 {taint}",
    ]


def test_a_node_without_a_taint_is_as_it_should_be(bench: Bench) -> None:
    bench.machine.program("k3s", f'case "$*" in *taint*) exit 1 ;; esac\n{READY}')
    assert bench.machine.step("settle", "digest", "rakazo-1", "system").returncode == 0


def test_a_node_that_is_ready_carries_the_release_that_it_runs(bench: Bench) -> None:
    """By which the next upgrade knows where it comes from."""
    bench.machine.step("settle", "digest", "rakazo-2", "system")
    assert f"k3s kubectl annotate node rakazo-2 rakazo-infra/k3s={VERSION} --overwrite" in bench.machine.calls("k3s")


def test_a_node_that_made_room_for_an_upgrade_takes_pods_again(bench: Bench) -> None:
    """Whichever run cordoned it: the one before may have been killed in between."""
    cordoned = 'case "$*" in *annotations.rakazo-infra/cordoned*) echo -n yes ;; esac'
    bench.machine.program("k3s", f"{cordoned}\n{READY}")
    assert bench.machine.step("settle", "digest", "rakazo-2", "system").returncode == 0
    assert bench.machine.calls("k3s")[-2:] == [
        "k3s kubectl uncordon rakazo-2",
        "k3s kubectl annotate node rakazo-2 rakazo-infra/cordoned-",
    ]


def test_a_node_that_somebody_else_cordoned_stays_so(bench: Bench) -> None:
    bench.machine.step("settle", "digest", "rakazo-2", "system")
    assert [call for call in bench.machine.calls("k3s") if "uncordon" in call] == []


@pytest.mark.parametrize(
    ("status", "version"), [("False", VERSION), ("True", "v1.35.9+k3s1")], ids=["not ready", "of the kubelet before"]
)
def test_a_node_that_does_not_become_ready_is_told_with_its_conditions(bench: Bench, status: str, version: str) -> None:
    """What the kubelet before said stands there for a while: the next server would be stopped meanwhile."""
    bench.machine.patience = 0
    bench.machine.program("k3s", READY.replace("True", status).replace(VERSION, version))
    done = bench.machine.step("settle", "digest", "rakazo-2", "computers")
    assert done.returncode == 1
    assert "Ready False NotReady" in done.stderr
    assert f"the node rakazo-2 is not ready with k3s {VERSION}" in done.stderr
    assert not [call for call in bench.machine.calls("k3s") if "label" in call]
