"""What holds for every committed stack file that has its cluster made by DigitalOcean."""

import pytest

from components.deployment import deploy
from tests.program.stack_files import STACK_NAMES, settings_of, stack_file
from tests.unit import recorder as engine
from tests.unit.clouds import digitalocean
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.recorder import Recorder, Registered, Secret, leaves, record

MANAGED = [name for name in STACK_NAMES if settings_of(name).target.kind == "digitalocean"]
assert MANAGED, "no stack has its cluster there, so nothing would be tested"


@pytest.fixture(params=MANAGED)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def made(recorded: Recorder) -> list[Registered]:
    found = [item for item in recorded.seen if item.typ.startswith("digitalocean:")]
    assert len(found) >= 4
    return found


def test_its_default_provider_is_switched_off(stack: str) -> None:
    """B004: nothing is ordered with the token of the operator's shell."""
    assert "digitalocean" in stack_file(stack)["pulumi:disable-default-providers"]


def test_the_cluster_is_the_place_of_no_change(recorded: Recorder) -> None:
    """B095: it is protected, and its own pool is as small as it can be and never looked at again."""
    (cluster,) = recorded.of_kind("KubernetesCluster")
    assert cluster.protect
    assert "nodePool" in cluster.ignore_changes
    assert cluster.inputs["nodePool"] == {"name": "default", "size": "s-1vcpu-2gb", "nodeCount": 1}
    assert len(recorded.of_kind("KubernetesNodePool")) == 2


def test_what_cannot_be_taken_back_or_costs_is_said(recorded: Recorder) -> None:
    """B096, B097: neither has a default that anybody chose."""
    (cluster,) = recorded.of_kind("KubernetesCluster")
    assert cluster.inputs["ha"] is False
    assert cluster.inputs["destroyAllAssociatedResources"] is False


def test_the_api_has_a_firewall(recorded: Recorder) -> None:
    """B040: with addresses in it, none of which is everybody's."""
    (cluster,) = recorded.of_kind("KubernetesCluster")
    firewall = cluster.inputs["controlPlaneFirewall"]
    assert firewall["enabled"] is True
    assert firewall["allowedAddresses"]
    assert not {"0.0.0.0/0", "::/0"} & set(firewall["allowedAddresses"])


def test_api_and_worker_reach_the_api_by_what_it_is(recorded: Recorder) -> None:
    """B071: Cilium matches it with no block of addresses."""
    rules = {item.metadata["name"]: item.inputs["spec"] for item in recorded.of_kind("CiliumNetworkPolicy")}
    assert {"toEntities": ["kube-apiserver"]} in rules["kubernetes-api-by-identity"]["egress"]


def test_no_node_port_is_opened_to_the_internet(recorded: Recorder) -> None:
    """DigitalOcean would do it by itself, past TLS and limits."""
    ports = [item for item in recorded.of_kind("Service") if item.inputs["spec"].get("type") == "NodePort"]
    assert ports
    told = {item.metadata["annotations"].get("kubernetes.digitalocean.com/firewall-managed") for item in ports}
    assert told == {"false"}


def test_no_volume_asks_for_a_class_that_deletes_it(recorded: Recorder) -> None:
    """B096: what becomes of data is decided with the cluster, in one place."""
    claims = recorded.of_kind("PersistentVolumeClaim")
    assert claims
    assert {claim.inputs["spec"]["storageClassName"] for claim in claims} == {"do-block-storage-retain"}


def test_no_way_in_is_plain_text(recorded: Recorder) -> None:
    """B009, B098."""
    plain = [
        f"{item.urn} {path}"
        for item in recorded.seen
        for path, value in leaves(item.inputs)
        if not isinstance(value, Secret) and (digitalocean.TOKEN in str(value) or "dop_v1_" in str(value))
    ]
    assert plain == []


def test_two_stacks_of_one_account_share_no_name(stack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B037: but for the pools, whose names are their cluster's."""

    def names(of: str) -> set[str]:
        monkeypatch.setattr(engine, "STACK", of)
        settings = settings_of(stack)
        seen = record(
            lambda: deploy(settings, secret_outputs(**secrets_of("digitalocean"))), answers=digitalocean.answers()
        )
        return {item.inputs["name"] for item in made(seen) if "NodePool" not in item.kind}

    assert names("dev") & names("production") == set()
