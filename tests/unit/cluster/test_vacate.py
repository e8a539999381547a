"""A node whose pods go elsewhere before k3s on it becomes another minor release, and only then."""

import subprocess

import pytest

from tests.unit.cluster.conftest import VERSION, Bench
from tests.unit.cluster.example import SERVERS

BEFORE = "v1.35.9+k3s1"
MARK = [
    "k3s kubectl annotate node server-2 rakazo-infra/cordoned=yes --overwrite",
]
DRAIN = "k3s kubectl drain server-2 --ignore-daemonsets --delete-emptydir-data --force --timeout 180s"


@pytest.fixture(autouse=True)
def delivered(bench: Bench) -> None:
    bench.deliver(SERVERS[0])
    bench.machine.program("systemctl", "")


def vacate(
    bench: Bench, runs: str = BEFORE, *, others: str = "node/server-1", cordoned: bool = False, ours: str = ""
) -> subprocess.CompletedProcess[str]:
    """Ask server-1 about server-2."""
    bench.machine.program(
        "k3s",
        f"""case "$*" in
  *annotations.rakazo-infra/k3s*) echo -n "{f"{runs} system" if runs else ""}" ;;
  *annotations.rakazo-infra/cordoned*) echo -n "{ours}" ;;
  *field-selector*name!=server-2*) echo "{others}" ;;
  *spec.unschedulable}}*) echo -n "{"true" if cordoned else ""}" ;;
esac""",
    )
    done = bench.machine.step("vacate", "digest", "server-2")
    assert done.returncode == 0, done.stderr
    return done


def changes(bench: Bench) -> list[str]:
    return [call for call in bench.machine.calls("k3s") if " get " not in call]


def test_before_another_minor_release_its_pods_end_and_none_begin(bench: Bench) -> None:
    said = vacate(bench).stderr
    assert changes(bench) == [*MARK, DRAIN]
    assert f"server-2 goes from k3s {BEFORE} to {VERSION}; its pods end first" in said


def test_only_nodes_of_the_same_pool_that_take_pods_are_somewhere_to_go(bench: Bench) -> None:
    vacate(bench)
    (asked,) = [call for call in bench.machine.calls("k3s") if "--selector" in call]
    assert "--selector rakazo-infra/pool=system --field-selector spec.unschedulable=false,metadata" in asked


@pytest.mark.parametrize("runs", ["v1.36.1+k3s1", VERSION])
def test_a_patch_release_disturbs_no_pod(bench: Bench, runs: str) -> None:
    vacate(bench, runs)
    assert changes(bench) == []


def test_pods_that_have_nowhere_to_go_stay(bench: Bench) -> None:
    """They outlive the restart of k3s, and elsewhere there would be nothing of them."""
    vacate(bench, others="")
    assert changes(bench) == []


def test_a_node_that_somebody_cordoned_is_emptied_and_not_taken_for_ours(bench: Bench) -> None:
    vacate(bench, cordoned=True)
    assert changes(bench) == [DRAIN]


def test_an_upgrade_that_was_taken_back_lets_pods_in_again(bench: Bench) -> None:
    """The run before it was killed when the node was empty, and nothing of it is left to be done."""
    vacate(bench, VERSION, cordoned=True, ours="yes")
    assert changes(bench) == [
        "k3s kubectl uncordon server-2",
        "k3s kubectl annotate node server-2 rakazo-infra/cordoned-",
    ]


def test_a_node_that_is_not_there_yet_is_left_to_come(bench: Bench) -> None:
    vacate(bench, runs="")
    assert changes(bench) == []


def test_a_server_that_is_to_be_mended_asks_nobody(bench: Bench) -> None:
    """Else the step that mends it would never be reached."""
    bench.machine.program("systemctl", "exit 3")
    vacate(bench)
    assert bench.machine.calls("k3s") == []


def test_an_api_server_that_does_not_answer_is_not_waited_for_longer_than_a_minute(bench: Bench) -> None:
    bench.machine.patience = 0
    bench.machine.program("k3s", "exit 1")
    done = bench.machine.step("vacate", "digest", "server-2")
    assert done.returncode == 0, done.stderr
    assert bench.machine.calls("k3s") == ["k3s kubectl get --raw /readyz"]


def test_pods_that_do_not_end_in_time_are_named_and_the_upgrade_goes_on(bench: Bench) -> None:
    bench.machine.program(
        "k3s",
        f"""case "$*" in
  *annotations.rakazo-infra/k3s*) echo -n "{BEFORE} system" ;;
  *name!=*) echo node/server-1 ;;
  *drain*) exit 1 ;;
  *spec.nodeName=server-2*) echo "ReplicaSet rakazo/rakazo-web-1" ;;
esac""",
    )
    done = bench.machine.step("vacate", "digest", "server-2")
    assert done.returncode == 0
    assert "these pods of server-2 did not end in 180s: rakazo/rakazo-web-1" in done.stderr
