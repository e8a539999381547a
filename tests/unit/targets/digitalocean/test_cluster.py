"""The managed cluster and its pools, as they are declared; DigitalOcean has not seen any of it."""

from typing import Any
from unittest import mock

import pulumi_digitalocean as ocean
import pytest

from tests.unit.clouds import digitalocean
from tests.unit.recorder import Recorder
from tests.unit.targets.digitalocean.example import cluster_of, committed, made, pools_of


def without_pools(recorder: Recorder) -> list[tuple[str, dict[str, Any]]]:
    """Everything that is declared but the pools beside the default one."""
    kept = [item for item in recorder.seen if item.typ.startswith("digitalocean:") and "NodePool" not in item.kind]
    return [(item.kind, item.inputs) for item in kept]


def test_nothing_is_made_but_a_network_a_cluster_and_two_pools() -> None:
    kinds = [item.kind for item in committed().seen if item.typ.startswith("digitalocean:")]
    assert sorted(kinds) == ["KubernetesCluster", "KubernetesNodePool", "KubernetesNodePool", "Vpc"]


@pytest.mark.parametrize("ha", [False, True])
def test_high_availability_is_always_said(ha: bool) -> None:
    """B097: unsaid it would be true from 1.36 on, for ever."""
    assert cluster_of(made(ha=ha)[0]).inputs["ha"] is ha


def test_the_default_pool_is_the_smallest_and_no_setting_reaches_it() -> None:
    """B095: another size of it is another cluster."""
    changes: list[dict[str, Any]] = [
        {"system": {"size": "g-8vcpu-32gb", "count": 3}},
        {"computers": {"size": "s-4vcpu-8gb", "minimum": 2, "maximum": 9}},
    ]
    for each in (committed(), *(made(**change)[0] for change in changes)):
        pool = {"name": "default", "size": "s-1vcpu-2gb", "nodeCount": 1}
        assert cluster_of(each).inputs["nodePool"] == pool
        assert "nodePool" in cluster_of(each).ignore_changes


def test_another_size_of_nodes_touches_nothing_but_its_pool() -> None:
    """B095."""
    changed = made(computers={"size": "g-8vcpu-32gb"}, system={"size": "s-8vcpu-16gb"})[0]
    assert without_pools(changed) == without_pools(committed())
    before, after = pools_of(committed()), pools_of(changed)
    for key, size in (("computers", "g-8vcpu-32gb"), ("system", "s-8vcpu-16gb")):
        assert after[key].inputs["size"] == size
        assert after[key].urn == before[key].urn
        # A cluster takes no two pools of one name, and the new one comes before the old one goes.
        assert after[key].inputs["name"] == f"{key}-{size}" != before[key].inputs["name"]


def test_the_old_pool_goes_when_the_new_one_is_there() -> None:
    """B095: not said, the provider would delete first what has a chosen name."""
    with mock.patch.object(ocean, "KubernetesNodePool", wraps=ocean.KubernetesNodePool) as declared:
        made()
    assert [call.kwargs["opts"].delete_before_replace for call in declared.call_args_list] == [False, False]


def test_the_network_waits_until_digitalocean_has_forgotten_the_cluster() -> None:
    """B011: the provider's own two minutes are over before that."""
    with mock.patch.object(ocean, "Vpc", wraps=ocean.Vpc) as declared:
        made()
    (call,) = declared.call_args_list
    assert call.kwargs["opts"].custom_timeouts.delete == "20m"


def test_computers_have_nodes_of_their_own() -> None:
    """B047: a label that their class selects, and a taint that keeps everything else off."""
    computers, system = pools_of(committed())["computers"].inputs, pools_of(committed())["system"].inputs
    assert computers["taints"] == [{"key": "rakazo-infra/pool", "value": "computers", "effect": "NoSchedule"}]
    assert "taints" not in system or system["taints"] == []


@pytest.mark.parametrize(
    ("settings", "inputs"),
    [
        ({"minimum": 1, "maximum": 3}, {"autoScale": True, "minNodes": 1, "maxNodes": 3}),
        ({"minimum": 2, "maximum": 2}, {"autoScale": False, "nodeCount": 2}),
    ],
)
def test_computers_nodes_come_and_go_between_two_bounds(settings: dict[str, int], inputs: dict[str, Any]) -> None:
    declared = pools_of(made(computers=settings)[0])["computers"].inputs
    keys = ("autoScale", "minNodes", "maxNodes", "nodeCount")
    assert {key: declared[key] for key in keys if key in declared} == inputs


def test_the_api_is_closed_to_everybody_but_administrators() -> None:
    """B040."""
    assert cluster_of(committed()).inputs["controlPlaneFirewall"] == {
        "enabled": True,
        "allowedAddresses": ["198.51.100.7/32"],
    }


def test_nobody_is_an_address_that_nobody_has() -> None:
    """B038: an empty list might be read as a firewall that is off."""
    firewall = cluster_of(made(admin_cidrs=[])[0]).inputs["controlPlaneFirewall"]
    assert firewall == {"enabled": True, "allowedAddresses": ["192.0.2.1/32"]}


def test_maintenance_has_its_window_and_new_nodes_come_before_old_ones_go() -> None:
    """B119: a node that is upgraded takes its computers with it, at a time that was chosen."""
    inputs = cluster_of(committed()).inputs
    assert inputs["maintenancePolicy"] == {"day": "sunday", "startTime": "04:00"}
    assert inputs["autoUpgrade"] is True
    assert inputs["surgeUpgrade"] is True


@pytest.mark.parametrize("destroys", [True, False])
def test_what_becomes_of_volumes_and_load_balancers_is_always_said(destroys: bool) -> None:
    """B096."""
    inputs = cluster_of(made(destroy_all_associated_resources=destroys)[0]).inputs
    assert inputs["destroyAllAssociatedResources"] is destroys


@pytest.mark.parametrize("protect", [True, False])
def test_cluster_and_network_are_protected(protect: bool) -> None:
    recorded = made(protect=protect)[0]
    assert cluster_of(recorded).protect is protect
    assert recorded.of_kind("Vpc")[0].protect is protect


def test_a_new_cluster_gets_the_newest_patch() -> None:
    """B094."""
    declared = cluster_of(committed())
    assert declared.inputs["version"] == "1.36.2-do.0"
    assert "version" not in declared.ignore_changes


@pytest.mark.parametrize("has", ["1.36.1-do.3", "1.36.2-do.0"])
def test_a_cluster_that_has_the_minor_keeps_whatever_patch_it_has(has: str) -> None:
    """B094: also when a newer slug appears, or DigitalOcean has installed one in the night."""
    declared = cluster_of(made(digitalocean.answers(existing={"version": has}))[0])
    assert "version" in declared.ignore_changes


def test_the_next_minor_is_an_update_of_the_cluster() -> None:
    declared = cluster_of(made(digitalocean.answers(existing={"version": "1.35.6-do.1"}))[0])
    assert declared.inputs["version"] == "1.36.2-do.0"
    assert "version" not in declared.ignore_changes


@pytest.mark.parametrize(
    ("existing", "says"),
    [
        ({"version": "1.37.1-do.0"}, "it cannot go back"),
        ({"version": "1.34.9-do.2"}, "minors are upgraded one at a time"),
        ({"ha": True}, "can never be switched off"),
    ],
)
def test_what_a_cluster_can_no_longer_become_is_refused_before_anything_is_declared(
    existing: dict[str, Any], says: str
) -> None:
    """B097, B095."""
    with pytest.raises(Exception, match=says):
        made(digitalocean.answers(existing=existing))


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (
            digitalocean.answers(versions=["1.35.6-do.1"]),
            '"1.36", which DigitalOcean does not offer; write one of "1.35"',
        ),
        (
            digitalocean.answers(sizes={"s-4vcpu-8gb": 8192}),
            "computers.size is s-8vcpu-16gb, which DigitalOcean does not",
        ),
        (digitalocean.answers(regions=["ams3"]), "system.size is s-4vcpu-8gb, which is not to be had in fra1 now"),
    ],
)
def test_what_is_not_offered_is_refused_before_anything_is_declared(answers: digitalocean.Answers, says: str) -> None:
    """B094, B099."""
    with pytest.raises(Exception, match=says):
        made(answers)
