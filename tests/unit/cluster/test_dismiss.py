"""Nodes that the settings do not name any more, and that leave before anything else happens."""

import subprocess

import pytest

from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import SERVERS

OURS = "computers"
"""The pool that k3s itself has written on a node of the stack."""


@pytest.fixture(autouse=True)
def delivered(bench: Bench) -> None:
    bench.deliver(SERVERS[0])
    bench.machine.program("systemctl", "")


def dismiss(bench: Bench, nodes: dict[str, str], protection: str = "free") -> subprocess.CompletedProcess[str]:
    """Name server-1 and server-2 in a cluster of these nodes, each with the pool that it is in."""
    listed = "\n".join(f"{name} {pool}" for name, pool in nodes.items())
    bench.machine.program(
        "k3s",
        f"""case "$*" in
  *"get node "*name) echo "node/$4" ;;
  *selector*) echo "server-1 True\nserver-2 True" ;;
  *"get nodes"*) echo "{listed}" ;;
esac""",
    )
    return bench.machine.step("dismiss", protection, "server-1", "server-2")


def left(bench: Bench) -> list[str]:
    return [call for call in bench.machine.calls("k3s") if "drain" in call or "delete node" in call]


def test_a_node_that_is_not_named_leaves_with_its_pods_first(bench: Bench) -> None:
    done = dismiss(bench, {"server-1": OURS, "computers-1": OURS, "server-2": OURS, "computers-2": OURS})
    assert done.returncode == 0, done.stderr
    assert [call.split()[2:4] for call in left(bench)] == [
        ["drain", "computers-1"],
        ["delete", "node"],
        ["drain", "computers-2"],
        ["delete", "node"],
    ]


def test_everybody_who_is_named_stays(bench: Bench) -> None:
    assert dismiss(bench, {"server-1": OURS, "server-2": OURS}).returncode == 0
    assert left(bench) == []


def test_one_that_joined_and_was_never_found_ready_leaves_too(bench: Bench) -> None:
    """B041: its vote in etcd would count for ever. Nothing but what k3s writes at its birth tells whose it is."""
    dismiss(bench, {"server-1": OURS, "server-9": "system", "server-2": OURS})
    (asked,) = [call for call in bench.machine.calls("k3s") if "get nodes --output" in call]
    assert "{.metadata.name} {.metadata.labels.rakazo-infra/pool}" in asked
    assert "annotations" not in asked
    assert [call.split()[2:4] for call in left(bench)] == [["drain", "server-9"], ["delete", "node"]]


def test_a_node_that_this_stack_did_not_make_stays(bench: Bench) -> None:
    assert dismiss(bench, {"server-1": OURS, "notebook": ""}).returncode == 0
    assert left(bench) == []


def test_a_protected_node_is_not_let_go_and_the_line_to_write_is_told(bench: Bench) -> None:
    """Before anything is changed: the engine itself would refuse at the very end."""
    done = dismiss(bench, {"server-1": OURS, "computers-1": OURS}, "protected")
    assert done.returncode == 1
    assert "computers-1 is protected" in done.stderr
    assert "protect: false" in done.stderr
    assert left(bench) == []


def test_one_that_cannot_be_let_go_ends_the_run(bench: Bench) -> None:
    bench.machine.program(
        "k3s",
        """case "$*" in
  *"get node "*name) echo "node/$4" ;;
  *selector*) echo "server-1 True\nserver-2 False\nserver-3 True\nserver-4 False" ;;
  *"get nodes"*) echo "server-3 system" ;;
esac""",
    )
    done = bench.machine.step("dismiss", "free", "server-1", "server-2")
    assert done.returncode == 1
    assert "server-3 cannot be taken out" in done.stderr
    assert left(bench) == []


def test_a_server_without_a_cluster_lets_nobody_go(bench: Bench) -> None:
    bench.machine.program("systemctl", "exit 3")
    assert dismiss(bench, {"server-1": OURS, "computers-1": OURS}).returncode == 0
    assert bench.machine.calls("k3s") == []
