"""A machine that k3s runs on stays the node that it is: whatever would make it another one is refused."""

import subprocess
from typing import Any

import pytest

from components.k3s.continuity import render_look
from components.k3s.plan import Node
from stacks.target.cluster_ranges import ClusterRanges
from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import AGENTS, SERVERS, node, plan

STATE = "/var/lib/rakazo-infra"
APPLIED = f"{STATE}/k3s-applied"
CONFIG = "/etc/rancher/k3s/config.yaml"
OWN = "/etc/rancher/k3s/config.yaml.d/10-machine.yaml"
DATABASE = "/var/lib/rancher/k3s/server/db/etcd/member"


def delivered(bench: Bench, as_node: Node) -> None:
    """Be a machine on which a run for this node has gone as far as k3s' files."""
    others = SERVERS if as_node.role == "agent" else ()
    bench.deliver(as_node, *others)
    bench.machine.write(f"{STATE}/k3s-version", "v1.36.2+k3s1 aaa\n")
    done = bench.machine.function(["report", "place"], "place k3s")
    assert done.returncode == 0, done.stderr


def running(bench: Bench, as_node: Node) -> None:
    """Be a machine on which k3s runs as this node."""
    delivered(bench, as_node)
    bench.machine.write(APPLIED, "aaa\n")
    if as_node.role == "server":
        bench.machine.path(DATABASE).mkdir(parents=True)


def look(bench: Bench, wanted: Node, **changes: Any) -> subprocess.CompletedProcess[str]:
    """Look at the machine that is to be a node of a cluster."""
    before = sorted(bench.machine.root.rglob("*"))
    done = bench.machine.shell(render_look(plan(wanted, **changes), wanted, str(bench.machine.root)))
    assert sorted(bench.machine.root.rglob("*")) == before
    return done


@pytest.mark.parametrize("of", [SERVERS[0], AGENTS[0], node("123", 11)], ids=["server", "agent", "quoted"])
def test_the_node_that_it_was_goes_on(bench: Bench, of: Node) -> None:
    running(bench, of)
    done = look(bench, of)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("of", [SERVERS[0], AGENTS[0]], ids=["server", "agent"])
def test_another_name_is_refused(bench: Bench, of: Node) -> None:
    """B004: the name before is not in the settings any more, and is taken off this very machine in the end."""
    running(bench, of)
    done = look(bench, node("other", 11, role=of.role))
    assert done.returncode == 1
    assert f"error on other: this machine is the node {of.name}, and with another name it would be" in done.stderr
    assert f"Write name: {of.name}; or take the machine away first" in done.stderr
    assert done.stderr.endswith("Nothing was changed\n")


@pytest.mark.parametrize(("was", "other"), [(SERVERS[0], "agent"), (AGENTS[0], "server")], ids=["server", "agent"])
def test_another_role_is_refused(bench: Bench, was: Node, other: Any) -> None:
    running(bench, was)
    done = look(bench, node(was.name, 11, role=other))
    assert done.returncode == 1
    assert f"it runs as {was.role}, and a node keeps its role. Write role: {was.role}; or" in done.stderr


def test_another_address_of_a_server_among_nodes_is_refused(bench: Bench) -> None:
    """B041: the members of etcd know each other by it."""
    running(bench, SERVERS[0])
    done = look(bench, node("server-1", 99))
    assert done.returncode == 1
    assert "its database know it as 10.0.1.11, and 10.0.1.99 would be another server" in done.stderr


def test_an_agent_and_a_public_address_beside_a_private_one_may_have_others(bench: Bench) -> None:
    running(bench, SERVERS[0])
    assert look(bench, node("server-1", 11, address="203.0.113.99")).returncode == 0
    bench.machine.path(DATABASE).rmdir()
    running(bench, AGENTS[0])
    assert look(bench, node("computers-1", 99, role="agent", pool="computers")).returncode == 0


@pytest.mark.parametrize(
    ("ranges", "told"),
    [
        (
            ClusterRanges(pods="10.44.0.0/16"),
            "the cluster has 10.42.0.0/16 for its pods, and cannot change it to 10.44",
        ),
        (ClusterRanges(services="10.45.0.0/16"), "Write network.services: 10.43.0.0/16; or begin another one"),
    ],
)
def test_other_ranges_of_a_cluster_that_is_there_are_refused(bench: Bench, ranges: ClusterRanges, told: str) -> None:
    running(bench, SERVERS[0])
    done = look(bench, SERVERS[0], ranges=ranges)
    assert done.returncode == 1
    assert told in done.stderr
    bench.machine.path(DATABASE).rmdir()
    assert look(bench, SERVERS[0], ranges=ranges).returncode == 0, "there is no cluster yet"


def test_a_machine_without_k3s_may_become_anything(bench: Bench) -> None:
    """A new one, one that was installed anew, and one on which the first run ended before k3s was there."""
    assert look(bench, SERVERS[0]).returncode == 0
    bench.deliver(SERVERS[0])
    assert look(bench, node("other", 99, role="agent")).returncode == 0


def test_a_machine_of_another_stack_is_left_to_the_delivery_which_says_whose_it_is(bench: Bench) -> None:
    running(bench, SERVERS[0])
    assert look(bench, node("other", 99), stack="second").returncode == 0


def test_what_an_older_delivery_did_not_say_is_nobodys_fault(bench: Bench) -> None:
    running(bench, SERVERS[0])
    bench.machine.path(CONFIG).unlink()
    bench.machine.path(OWN).unlink()
    assert look(bench, node("server-1", 99)).returncode == 0


@pytest.mark.parametrize("was", [SERVERS[0], AGENTS[0]], ids=["server", "agent"])
def test_a_first_run_that_failed_may_be_corrected(bench: Bench, was: Node) -> None:
    """k3s makes a password before it asks, and a server names itself, and then the others refuse it."""
    delivered(bench, was)
    bench.machine.write("/etc/rancher/node/password", "5555\n")
    if was.role == "server":
        bench.machine.write("/var/lib/rancher/k3s/server/db/etcd/name", "server-1-5555\n")
    for role in ("server", "agent"):
        assert look(bench, node("other", 99, role=role)).returncode == 0


def test_a_server_whose_database_is_a_member_is_one_though_it_has_never_been_ready(bench: Bench) -> None:
    delivered(bench, SERVERS[0])
    bench.machine.path(DATABASE).mkdir(parents=True)
    assert "know it as 10.0.1.11" in look(bench, node("server-1", 99)).stderr
    bench.machine.write(f"{STATE}/restoring", "")
    assert look(bench, node("server-1", 99)).returncode == 0, "half a restored database is thrown away"


@pytest.mark.parametrize(
    ("was", "other"),
    [
        (SERVERS[0], node("server-1", 99)),
        (SERVERS[0], node("server-1", 11, role="agent")),
        (AGENTS[0], node("computers-1", 101, pool="computers")),
    ],
    ids=["address", "server", "agent"],
)
@pytest.mark.parametrize("at", ["delivery", "k3s"])
def test_what_failed_with_another_value_may_go_back_to_the_one_before(
    bench: Bench, at: str, was: Node, other: Node
) -> None:
    """An older release let it through; what the machine was given last is not what k3s is."""
    running(bench, was)
    if at == "delivery":
        bench.deliver(other, SERVERS[1])
    else:
        delivered(bench, other)
    done = look(bench, was)
    assert (done.returncode, done.stderr) == (0, "")
