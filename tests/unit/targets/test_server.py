"""Machines over SSH that become a cluster: what is declared, in which order, and what goes where."""

from itertools import pairwise

from components.machines.file import render_removal
from components.targets.server import ServerCluster, ServerClusterArgs
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.graph import everything_before, named
from tests.unit.outputs import AUTHORITY, KEY
from tests.unit.recorder import Secret, record
from tests.unit.stacks.server_stack import machine, target
from tests.unit.targets.server_example import FIVE, commands, connection, five, made, provider


def test_the_first_thing_on_each_machine_is_a_look_at_its_host_key() -> None:
    """Before anything of ours is sent, and before any machine gets a secret."""
    reached = {f"cluster-m{number}-reach" for number in range(1, 6)}
    for number in range(1, 6):
        reach = named(five(), f"cluster-m{number}-reach")
        assert reach.inputs["create"].startswith("sh -c 'set -eu\n")
        assert reach.dependencies == frozenset()
        assert connection(reach)["hostKey"] == FIVE[number - 1]["host_key"]
        assert reached <= everything_before(five(), named(five(), f"cluster-m{number}-node-k3s"))


def test_each_step_waits_for_the_one_before() -> None:
    order = ["reach", "deliver", "prepare", "gvisor", "fetch", "node-vacate", "node-k3s", "node-settle"]
    for earlier, later in pairwise(order):
        before = everything_before(five(), named(five(), f"cluster-m2-{later}"))
        assert f"cluster-m2-{earlier}" in before


def test_who_is_not_named_any_more_leaves_before_anything_is_changed() -> None:
    """Else policies and firewalls would not know a node that still runs computers, and the proof would fail."""
    names = " ".join(f"m{number}" for number in range(1, 6))
    dismissals = [command for command in commands(five()) if command.name.endswith("-dismiss")]
    assert [command.name for command in dismissals] == [f"cluster-m{number}-dismiss" for number in (1, 2, 3)]
    for number, command in enumerate(dismissals, 1):
        script = "/usr/local/lib/rakazo-infra/dismiss"
        assert command.inputs["create"] == f"sh -c 'test ! -x {script} || exec {script} free {names}'"
        assert connection(command)["host"] == f"203.0.113.{number}"
        before = everything_before(five(), command)
        assert {f"cluster-m{each}-reach" for each in range(1, 6)} <= before
        assert {f"cluster-m{each}-dismiss" for each in range(1, number)} <= before
    for number in range(1, 6):
        assert "cluster-m3-dismiss" in everything_before(five(), named(five(), f"cluster-m{number}-deliver"))


def test_servers_come_one_after_the_other_each_when_the_one_before_is_ready() -> None:
    """B041: also on an upgrade, so that never more than one of them is away."""
    for number in (2, 3):
        before = everything_before(five(), named(five(), f"cluster-m{number}-node-k3s"))
        assert {f"cluster-m{earlier}-node-settle" for earlier in range(1, number)} <= before
        assert f"cluster-m{number + 1}-node-settle" not in before


def test_agents_come_after_every_server_and_one_after_the_other() -> None:
    """So that never more than one of them is away, and none is of a newer release than a server."""
    for number in (4, 5):
        before = everything_before(five(), named(five(), f"cluster-m{number}-node-vacate"))
        assert {f"cluster-m{earlier}-node-settle" for earlier in range(1, number)} <= before
    assert "cluster-m5-node-vacate" not in everything_before(five(), named(five(), "cluster-m4-node-settle"))


def test_a_node_is_emptied_by_a_server_before_k3s_on_it_is_touched() -> None:
    """A server asks itself, since the ones after it may not be there yet."""
    for number, asked in ((1, 1), (2, 2), (3, 3), (4, 1), (5, 1)):
        vacate = named(five(), f"cluster-m{number}-node-vacate")
        assert connection(vacate)["host"] == f"203.0.113.{asked}"
        assert vacate.inputs["create"].startswith("/usr/local/lib/rakazo-infra/vacate ")
        assert vacate.inputs["create"].endswith(f" m{number}")


def test_whatever_is_in_the_cluster_waits_for_every_node() -> None:
    before = everything_before(five(), provider(five()))
    assert {f"cluster-m{number}-node-settle" for number in range(1, 6)} <= before


def test_secrets_go_over_standard_input_to_the_one_step_that_needs_them() -> None:
    secret = secrets_of("server")["cluster_token"]
    told = {command.name for command in commands(five()) if "stdin" in command.inputs}
    assert told == {f"cluster-m{number}-node-k3s" for number in range(1, 6)}
    for command in commands(five()):
        for key in ("create", "delete", "update", "environment"):
            assert secret not in str(command.inputs.get(key)), command.name


def stdin(number: int) -> list[str]:
    hidden = named(five(), f"cluster-m{number}-node-k3s").inputs["stdin"]
    assert isinstance(hidden, Secret)
    return str(hidden.value).splitlines()


def test_only_servers_hold_the_token_that_makes_servers() -> None:
    secret = secrets_of("server")["cluster_token"]
    assert stdin(1)[0] == secret
    assert stdin(2)[0] == f"K10{AUTHORITY}::server:{secret}"
    agents = stdin(1)[1]
    assert stdin(2)[1] == agents
    assert stdin(4) == [f"K10{AUTHORITY}::node:{agents}"]
    assert secret not in "".join([*stdin(4), *stdin(5)])


def test_everything_said_is_secret_and_only_who_makes_room_is_heard() -> None:
    """Minutes may pass while pods end, and names of pods are all that it knows."""
    for command in commands(five()):
        heard = command.name.endswith(("-vacate", "-dismiss"))
        assert command.inputs["logging"] == ("stderr" if heard else "none")
        assert command.inputs["addPreviousOutputInEnv"] is False
        assert {"stdout", "stderr", "connection"} <= command.secret_outputs


def test_the_kubeconfig_is_the_first_servers_with_its_real_address() -> None:
    """B004: and secret, wherever it goes."""
    read = named(five(), "cluster-administrator-kubeconfig")
    assert connection(read)["host"] == "203.0.113.1"
    document = provider(five()).inputs["kubeconfig"]
    assert isinstance(document, Secret)
    assert "server: https://203.0.113.1:6443" in document.value
    assert KEY in document.value
    assert provider(five()).inputs["context"] == "rakazo-team"


def test_another_kubeconfig_is_the_same_cluster() -> None:
    """B001, B002: a certificate that was renewed replaces nothing."""
    renewed, _ = made(machines=FIVE, k3s__kubeconfig_serial=2)
    assert provider(renewed).inputs["clusterIdentifier"] == "server:team"
    before, after = (named(each, "cluster-administrator-kubeconfig") for each in (five(), renewed))
    assert before.inputs["create"] != after.inputs["create"]
    assert "triggers" not in after.inputs


def test_another_release_changes_steps_and_neither_kubeconfig_nor_provider() -> None:
    """B002: so that a preview of an upgrade still knows the cluster."""
    upgraded, _ = made(machines=FIVE, k3s__version="v1.36.3+k3s1")
    for name in ("cluster-administrator-kubeconfig", "cluster-administrator-authority"):
        assert named(upgraded, name).inputs == named(five(), name).inputs
    assert provider(upgraded).inputs == provider(five()).inputs
    assert (
        named(upgraded, "cluster-m1-node-k3s").inputs["create"] != named(five(), "cluster-m1-node-k3s").inputs["create"]
    )


def test_who_leaves_is_let_go_by_a_server_that_stays() -> None:
    """B041: with its vote given back."""
    for number in range(1, 6):
        farewell = named(five(), f"cluster-m{number}-farewell")
        keeper = 2 if number == 1 else 1
        assert farewell.inputs["create"] == "true"
        assert farewell.inputs["delete"] == f"/usr/local/lib/rakazo-infra/leave m{number}"
        assert connection(farewell)["host"] == f"203.0.113.{keeper}"
        assert farewell.deleted_with == named(five(), f"cluster-m{keeper}-deliver").urn
        assert f"cluster-m{number}-node-settle" in everything_before(five(), farewell)


def test_a_destroy_takes_everything_off_the_machines_last() -> None:
    """B011."""
    for number in range(1, 6):
        delivered = named(five(), f"cluster-m{number}-deliver")
        assert delivered.inputs["delete"] == render_removal("k3s team", f"m{number}")
        assert "\nk3s team\n" in delivered.inputs["create"]
        assert delivered.deleted_with == ""
        assert f"cluster-m{number}-deliver" in everything_before(five(), named(five(), f"cluster-m{number}-farewell"))


def test_a_machine_alone_leaves_nobody_behind() -> None:
    alone, _ = made(machines=[machine(1)])
    assert not [command for command in commands(alone) if "farewell" in command.name]


def test_a_user_who_is_not_root_becomes_root_without_a_password() -> None:
    recorder, _ = made(machines=[machine(1)], ssh__user="admin", ssh__port=2222)
    for command in commands(recorder):
        for key in {"create", "update"} & set(command.inputs):
            assert command.inputs[key].startswith("sudo -n "), command.name
        assert connection(command)["user"] == "admin"
        assert connection(command)["port"] == 2222


def test_without_a_key_the_agent_logs_in() -> None:
    settings = target(machines=[machine(1)])

    def program() -> None:
        secrets = secret_outputs(cluster_token=secrets_of("server")["cluster_token"])
        args = ServerClusterArgs(stack="team", settings=settings, runtime="gvisor", secrets=secrets)
        ServerCluster("cluster", args)

    assert all("privateKey" not in connection(command) for command in commands(record(program)))


def test_the_facts_hold_every_address_of_the_cluster() -> None:
    """B072: policies are made of them, and an address that is missing is open."""
    _, cluster = made(machines=FIVE)
    assert cluster.network.pods == ("10.42.0.0/16",)
    assert cluster.network.services == ("10.43.0.0/16",)
    assert set(cluster.network.nodes) == {
        *(f"203.0.113.{number}/32" for number in range(1, 6)),
        *(f"10.0.1.{number}/32" for number in range(1, 6)),
    }
    assert cluster.network.api_servers == ("10.0.1.1:6443", "10.0.1.2:6443", "10.0.1.3:6443")
    assert cluster.kubernetes_version == (1, 36)
    assert cluster.storage.storage_class == "local-path"
    assert cluster.storage.shared is False


def test_a_nodes_address_between_pods_is_a_nodes_and_never_a_pods() -> None:
    """B077: what a node's port forwards to a pod of another node comes from there."""
    _, cluster = made(machines=FIVE)
    assert len(cluster.network.overlays) == 256
    assert cluster.network.overlays[:2] == ("10.42.0.0/32", "10.42.1.0/32")
    _, alone = made(machines=[machine(1)])
    assert alone.network.overlays == ()
