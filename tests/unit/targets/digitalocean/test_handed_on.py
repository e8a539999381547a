"""What the rest of the stack is told of a cluster at DigitalOcean."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pytest
import yaml

from tests.unit.clouds import digitalocean
from tests.unit.clouds.refused import AnswerRefusedError
from tests.unit.outputs import API_SERVER
from tests.unit.recorder import Recorder, Secret, leaves
from tests.unit.targets.digitalocean.example import committed, made

VPC = "11111111-2222-3333-4444-555555555555"


def kubeconfig_of(recorder: Recorder) -> dict[str, Any]:
    (provider,) = [item for item in recorder.seen if item.typ == "pulumi:providers:kubernetes"]
    assert isinstance(provider.inputs["kubeconfig"], Secret)
    document: dict[str, Any] = yaml.safe_load(provider.inputs["kubeconfig"].value)
    return document


def test_the_kubeconfig_has_the_credential_of_the_state_while_it_is_good() -> None:
    """B098: a new one at every run would be a change at every preview."""
    recorder = made(digitalocean.answers(existing={}))[0]
    assert kubeconfig_of(recorder)["users"][0]["user"] == {"token": digitalocean.TOKEN}


def test_a_credential_that_ended_is_asked_for_anew_and_the_cluster_stays_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """B001, B098: on the eighth day the provider gets another way in, and nothing is replaced."""
    ended = digitalocean.kube_configs(expires_at=digitalocean.EARLIER)
    monkeypatch.setattr(
        digitalocean, "outputs_of", lambda typ, _: {"kubeConfigs": ended} if typ.endswith("Cluster") else {}
    )
    recorder = made(digitalocean.answers(existing={}))[0]
    assert kubeconfig_of(recorder)["users"][0]["user"] == {"token": digitalocean.NEW_TOKEN}
    (provider,) = [item for item in recorder.seen if item.typ == "pulumi:providers:kubernetes"]
    assert provider.inputs["clusterIdentifier"] == "digitalocean:team"


def test_neither_token_is_plain_in_any_input() -> None:
    """B009."""
    tokens = (digitalocean.TOKEN, digitalocean.NEW_TOKEN, "dop_v1_")
    plain = [
        str(value) for item in committed().seen for _, value in leaves(item.inputs) if not isinstance(value, Secret)
    ]
    assert [text for text in plain if any(token in text for token in tokens)] == []


def test_the_context_is_the_stacks_own() -> None:
    """B004."""
    recorder, cluster = made()
    assert kubeconfig_of(recorder)["current-context"] == cluster.access.context == "rakazo-team-cluster"


def test_policies_are_told_the_ranges_that_the_cluster_really_has() -> None:
    network = made()[1].network
    assert (network.pods, network.services, network.nodes) == (
        ("10.112.0.0/16",),
        ("10.113.0.0/19",),
        ("10.124.0.0/20",),
    )


def test_the_api_is_known_by_what_it_is() -> None:
    """B071: on Cilium no block of addresses matches it."""
    assert made()[1].network.cilium


def test_the_endpoints_of_the_api_are_read_from_the_cluster() -> None:
    assert made()[1].network.api_servers == (f"{API_SERVER}:443",)


def test_volumes_outlive_their_claims_and_one_node_mounts_them() -> None:
    """B096, B105: what becomes of them is decided when the cluster goes."""
    storage = made()[1].storage
    assert (storage.storage_class, storage.shared) == ("do-block-storage-retain", False)


def test_a_share_is_for_the_files_and_the_database_stays_on_a_disk_of_its_own() -> None:
    """B105."""
    recorder, cluster = made(nfs={"size": 100})
    assert (cluster.storage.storage_class, cluster.storage.shared) == ("do-block-storage-retain", True)
    assert cluster.storage.shared_class == "rakazo-team-files"
    (share,) = recorder.of_kind("Nfs")
    assert share.inputs["size"] == 100
    (volume,) = recorder.of_kind("PersistentVolume")
    assert volume.inputs["spec"]["nfs"] == {"server": "10.124.0.69", "path": "/123456/share"}
    assert volume.inputs["spec"]["accessModes"] == ["ReadWriteMany"]
    assert volume.inputs["spec"]["storageClassName"] == "rakazo-team-files"


def test_a_vpc_that_exists_is_used_and_left_alone() -> None:
    recorder = made(digitalocean.answers(), vpc__id=VPC)[0]
    assert recorder.of_kind("Vpc") == []
    (cluster,) = recorder.of_kind("KubernetesCluster")
    assert cluster.inputs["vpcUuid"] == VPC


@pytest.mark.parametrize(
    ("vpc", "says"),
    [({"region": "ams3"}, "write region: ams3"), ({"ipRange": "10.99.0.0/20"}, "write range: 10.99.0.0/20")],
)
def test_a_vpc_that_is_not_as_the_settings_say_is_refused(vpc: dict[str, str], says: str) -> None:
    with pytest.raises(Exception, match=says):
        made(digitalocean.answers(vpc=vpc), vpc__id=VPC)


def nobody(_: Mapping[str, Any]) -> dict[str, Any]:
    raise AnswerRefusedError("401 Unable to authenticate you")


@pytest.mark.parametrize(
    ("token", "says"),
    [
        (digitalocean.CLUSTER, "401 Unable to authenticate you.*write: pulumi config set --secret digitalocean_token"),
        ("digitalocean:index/getVpc:getVpc", "vpc.id names no VPC that the token may see"),
    ],
)
def test_a_question_without_an_answer_says_what_was_asked(token: str, says: str) -> None:
    """B007: an expired token is one sentence, not a traceback."""
    with pytest.raises(pulumi.RunError, match=says):
        made({**digitalocean.answers(), token: nobody}, vpc__id=VPC)


def test_two_stacks_of_one_account_share_no_name() -> None:
    """B037."""

    def names(stack: str) -> set[str]:
        seen = made(stack=stack)[0].seen
        found = {
            item.inputs["name"] for item in seen if item.typ.startswith("digitalocean:") and "NodePool" not in item.kind
        }
        assert found
        return found

    assert names("dev") & names("production") == set()
