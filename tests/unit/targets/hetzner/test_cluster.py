"""Rented servers that become a cluster: in which order, and how one is made anew. Hetzner has not seen it."""

from tests.unit.graph import everything_before, named
from tests.unit.outputs import id_of
from tests.unit.recorder import Recorder
from tests.unit.targets.hetzner.example import NODES, five, made, servers


def test_only_its_own_number_makes_a_machine_anew() -> None:
    """B025."""
    rebuilt = servers(made(rebuild={"server-2": 1})[0])
    assert {key: server.replacement_trigger for key, server in rebuilt.items()} == {
        "server-1": 0,
        "server-2": 1,
        "server-3": 0,
        "computers-1": 0,
        "computers-2": 0,
    }


def test_a_machine_made_anew_gets_everything_anew_and_leaves_the_cluster_first() -> None:
    """B041: its number changes its server, and the server's id all that was done on it."""
    for key in NODES:
        for step in (
            "reach",
            "deliver",
            "prepare",
            "gvisor",
            "fetch",
            "node-vacate",
            "node-k3s",
            "node-settle",
            "farewell",
        ):
            command = named(five(), f"cluster-{key}-{step}")
            assert command.inputs["triggers"] == [id_of("hcloud:server", f"cluster-{key}-server")], command.name


def test_one_server_is_made_when_the_one_before_is_ready_and_so_one_is_made_anew() -> None:
    """B041: the majority is never away, also when several numbers are raised at once."""
    for earlier, later in (("server-1", "server-2"), ("server-2", "server-3")):
        assert f"cluster-{earlier}-node-settle" in everything_before(five(), servers(five())[later])
    for agent in ("computers-1", "computers-2"):
        assert "cluster-server-3-node-settle" in everything_before(five(), servers(five())[agent])


def test_machines_for_computers_are_made_together_and_k3s_starts_on_one_after_the_other() -> None:
    before = everything_before(five(), servers(five())["computers-2"])
    assert "cluster-computers-1-node-vacate" not in before
    later = everything_before(five(), named(five(), "cluster-computers-2-node-vacate"))
    assert "cluster-computers-1-node-settle" in later


def test_who_is_not_named_any_more_leaves_first_unless_it_is_protected() -> None:
    """B041: the first server of those that stay lets it go, before it hears of the change itself."""

    def said(recorder: Recorder) -> str:
        (command,) = [each for each in recorder.of_kind("Command") if each.name.endswith("-dismiss")]
        assert command.name == "cluster-server-1-dismiss"
        assert command.name in everything_before(recorder, named(recorder, "cluster-server-1-deliver"))
        return str(command.inputs["create"])

    names = " ".join(f"rakazo-team-{key}" for key in NODES)
    assert said(five()).endswith(f"/dismiss protected {names}'")
    assert said(made(protect=False)[0]).endswith(f"/dismiss free {names}'")


def test_a_first_server_made_anew_begins_nothing() -> None:
    """B041: it joins the two that are there."""

    def begins(recorder: Recorder) -> bool:
        return "\nBEGINS=yes\n" in named(recorder, "cluster-server-1-deliver").inputs["create"]

    assert begins(five())
    assert not begins(made(rebuild={"server-1": 1})[0])
    assert begins(made(name="hetzner", rebuild={"server-1": 1})[0]), "alone it has nobody to join"


ADMINS, WORLD = ("198.51.100.7/32",), ("0.0.0.0/0", "::/0")


def test_what_was_done_on_a_server_goes_with_it() -> None:
    """Nobody logs in to a machine that is deleted anyway."""
    for key in NODES:
        for step in ("deliver", "node-k3s"):
            command = named(five(), f"cluster-{key}-{step}")
            assert command.deleted_with == servers(five())[key].urn
            assert "delete" not in command.inputs


def test_who_leaves_is_let_go_unless_the_whole_cluster_goes() -> None:
    """B041."""
    for key in NODES:
        farewell = named(five(), f"cluster-{key}-farewell")
        assert farewell.inputs["delete"] == f"/usr/local/lib/rakazo-infra/leave rakazo-team-{key}"
        # Not with the server that lets go: while that one is made anew, the others have to be let go all the same.
        (subnet,) = five().of_kind("NetworkSubnet")
        assert farewell.deleted_with == subnet.urn


def test_a_rescaled_server_is_looked_at_before_the_next_one_is() -> None:
    """B041: Hetzner switches it off for that."""
    larger = made(servers={"type": "cx53", "count": 3})[0]
    for step in ("prepare", "node-k3s", "node-settle"):
        name = f"cluster-server-1-{step}"
        assert named(larger, name).inputs["create"] != named(five(), name).inputs["create"]
