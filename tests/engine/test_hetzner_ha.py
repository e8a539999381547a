"""The target `hetzner` with three servers and two machines for computers, which have them to themselves.

Whole machines behind a stand-in of Hetzner's API, as in test_hetzner_target.py. The tests are one life of a stack, in
their order. They have not upgraded k3s itself: the stand-in's components are of one release, whatever its name is.
"""

import secrets as random
from collections.abc import Iterator

import pytest

from components.k3s.tokens import agent_token
from tests import k3s
from tests.deployments import changes
from tests.engine.machine_cluster import CORDONED, RELEASE, MachineCluster, assert_one_after_the_other, away
from tests.engine.rakazo_inside import finished_job, rakazo
from tests.estate_cloud import EstateCloud, estate_cloud
from tests.estate_server import host_key
from tests.estate_stack import VERSION, checksum
from tests.machines.machine import Machine

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
NEXT = "v1.37.0+k3s1"
SERVERS = [f"rakazo-hetzner-ha-server-{number}" for number in (1, 2, 3)]
COMPUTERS = [f"rakazo-hetzner-ha-computers-{number}" for number in (1, 2)]
ADDED = "rakazo-hetzner-ha-computers-3"
KEPT: dict[str, str] = {}
"""What a later step has to find again."""


@pytest.fixture(scope="module")
def cloud() -> Iterator[EstateCloud]:
    with estate_cloud("hetzner-ha") as made:
        yield made


@pytest.fixture
def first(cloud: EstateCloud) -> Machine:
    return cloud.servers.named(SERVERS[0])


@pytest.fixture
def cluster(first: Machine) -> MachineCluster:
    return MachineCluster(first)


def bring_up(cloud: EstateCloud) -> str:
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    return outcome.output


def test_one_command_makes_three_servers_and_two_for_computers(cloud: EstateCloud) -> None:
    """B041: servers join one after the other, and agents when all of them are there."""
    assert "claims proven" in bring_up(cloud)
    made = [line.removeprefix("create server ") for line in cloud.project.history if line.startswith("create server ")]
    assert made[:3] == SERVERS
    assert sorted(made[3:]) == COMPUTERS
    nodes = MachineCluster(cloud.servers.named(SERVERS[0])).nodes()
    pools = {name: node["metadata"]["labels"]["rakazo-infra/pool"] for name, node in nodes.items()}
    assert pools == {**dict.fromkeys(SERVERS, "system"), **dict.fromkeys(COMPUTERS, "computers")}


def test_what_is_up_needs_no_change(cloud: EstateCloud) -> None:
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_one_changed_setting_is_one_update(cloud: EstateCloud, first: Machine) -> None:
    cloud.settings["application.web_replicas"] = 3
    cloud.write()
    assert changes(bring_up(cloud)) == {"updated": 1}
    KEPT["job"] = finished_job(first, "steady", ["echo", "kept"])


def lets_in(machine: Machine, user: str, token: str) -> bool:
    """Ask a server whether it takes a token, which no command line shows."""
    asked = f'user = "{user}:{token}"\nurl = "https://127.0.0.1:6443/v1-k3s/config"\n'
    command = ["curl", "--silent", "--insecure", "--output", "/dev/null", "--write-out", "%{http_code}"]
    code = machine.run([*command, "--config", "-"], stdin=asked).stdout
    assert code in ("200", "401"), code
    return code == "200"


def test_with_another_token_nobody_joins_with_the_old_one_and_a_new_machine_does(
    cloud: EstateCloud, cluster: MachineCluster
) -> None:
    old, new = cloud.secrets["rakazo:cluster_token"], random.token_hex(32)
    cloud.stack.pulumi.must("config", "set", "--secret", "rakazo:cluster_token", stdin=new)
    cloud.settings["target.computers"] = {"type": "cx43", "count": 3}
    cloud.write()
    bring_up(cloud)
    for name in SERVERS:
        machine = cloud.servers.named(name)
        answers = {
            (user, age): lets_in(machine, user, token)
            for age, known in (("old", old), ("new", new))
            for user, token in (("server", known), ("node", agent_token(known)))
        }
        assert answers == {(user, age): age == "new" for user in ("server", "node") for age in ("old", "new")}, name
    assert cluster.ready() == {*SERVERS, *COMPUTERS, ADDED}


def test_an_upgrade_to_the_next_minor_release_empties_and_restarts_one_node_after_the_other(
    cloud: EstateCloud, cluster: MachineCluster, first: Machine
) -> None:
    """B041: servers first, never two nodes away at once. B011: who is taken away in the same run has left before it."""
    program = k3s.build(NEXT)
    cloud.estate.mirror.serve(f"k3s/{NEXT}/k3s", program)
    cloud.settings["target.k3s"].update(version=NEXT, sha256=checksum(program, "sha256"))
    cloud.settings["target.computers"] = {"type": "cx43", "count": 2}
    cloud.write()
    said = bring_up(cloud)
    order = [*SERVERS, *COMPUTERS]
    assert [name for name in order if f"{name} goes from k3s {VERSION} to {NEXT}" in said] == order, said
    units = {**dict.fromkeys(SERVERS, "k3s"), **dict.fromkeys(COMPUTERS, "k3s-agent")}
    assert_one_after_the_other([away(cloud.servers.named(name), units[name]) for name in order])
    assert "claims proven" in said
    assert cluster.ready() == set(order)
    assert cluster.notes(RELEASE) == dict.fromkeys(order, NEXT)
    assert cluster.notes(CORDONED) == dict.fromkeys(order)
    again = rakazo(first, "/api/computers", {"bot": "steady"})["name"]
    assert rakazo(first, f"/api/computers/{again}/exec", {"command": ["echo", "back"]})["stdout"] == "back\n"
    assert ADDED not in str(cloud.project.summary())
    assert ADDED not in cloud.estate.machines


def test_machines_are_made_anew_one_by_one_and_the_database_decides_all_the_while(
    cloud: EstateCloud, cluster: MachineCluster
) -> None:
    """B041: a server of three and a machine for computers, both in one run."""
    with_volumes = cluster.nodes_with_volumes()
    server = next(name for name in SERVERS if name not in with_volumes)
    watch = MachineCluster(cloud.servers.named(next(name for name in SERVERS if name != server)))
    names = [server, COMPUTERS[0]]
    before = {name: (cloud.servers.named(name).public, host_key(cloud.servers.named(name))) for name in names}
    uids = {name: node["metadata"]["uid"] for name, node in cluster.nodes().items()}
    begun = len(cloud.project.history)
    cloud.write({"target.rebuild": {name.removeprefix("rakazo-hetzner-ha-"): 1 for name in names}})
    with watch.written_to() as failures:
        bring_up(cloud)
    assert failures == []
    assert cloud.project.history[begun:] == [f"{act} server {name}" for name in names for act in ("delete", "create")]
    after = {name: (cloud.servers.named(name).public, host_key(cloud.servers.named(name))) for name in names}
    assert after == before
    assert watch.ready() == {*SERVERS, *COMPUTERS}
    renewed = {name for name, node in watch.nodes().items() if node["metadata"]["uid"] != uids[name]}
    assert renewed == set(names)
    assert rakazo(watch.server, f"/api/jobs/{KEPT['job']}")["state"] == "done"
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_destroy_leaves_nothing_in_the_project(cloud: EstateCloud) -> None:
    """B011."""
    outcome = cloud.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert cloud.project.summary() == {}
    assert cloud.estate.machines == {}
