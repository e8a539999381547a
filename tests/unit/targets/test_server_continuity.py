"""What each run asks of machines that were there before."""

from tests.unit.graph import everything_before, named
from tests.unit.targets.server_example import commands, five


def test_a_machine_that_would_become_another_node_is_found_out_before_anybody_leaves() -> None:
    """B004: a renamed one is named no more, and would be taken out of the cluster and cleaned with its new name."""
    for number, role in ((1, "server"), (4, "agent")):
        look = named(five(), f"cluster-m{number}-reach").inputs["create"]
        for fact in (f'{{was:-m{number}}}" = m{number} ]', f'[ "$was" = {role} ]', f"10.0.1.{number}"):
            assert fact in look
        assert "keeps cluster-cidr 10.42.0.0/16 pods" in look
        assert f"cluster-m{number}-reach" in everything_before(five(), named(five(), "cluster-m1-dismiss"))


def test_a_node_that_was_there_before_is_told_so() -> None:
    """B041: one without data then looks for the others longer before it begins a cluster."""
    for number in (1, 4):
        started = named(five(), f"cluster-m{number}-node-k3s")
        assert started.inputs["update"] == f"{started.inputs['create']} again"
    assert [command.name for command in commands(five()) if "update" in command.inputs] == [
        f"cluster-m{number}-node-k3s" for number in range(1, 6)
    ]
