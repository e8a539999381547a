"""A cluster at Google without its machines: who is let in, what is enforced, what is protected."""

from typing import Any

import yaml

from tests.unit.clouds.gke import ENDPOINT
from tests.unit.recorder import Recorder, Secret
from tests.unit.targets.gke.example import cluster, committed, made


def test_policies_are_enforced() -> None:
    """B073: the default datapath accepts them and enforces none; Dataplane V2 refuses the other plugin's block."""
    assert cluster(committed()).inputs["datapathProvider"] == "ADVANCED_DATAPATH"
    assert "networkPolicy" not in cluster(committed()).inputs


def test_nobody_is_let_in_by_address() -> None:
    """B038: the block is there with nobody in it; without it everybody would be."""
    inputs = cluster(committed()).inputs
    assert inputs["masterAuthorizedNetworksConfig"] == {
        "cidrBlocks": [],
        "gcpPublicCidrsAccessEnabled": False,
        "privateEndpointEnforcementEnabled": True,
    }
    assert inputs["privateClusterConfig"]["enablePrivateEndpoint"] is True


def test_who_is_listed_is_let_in_and_nobody_else() -> None:
    inputs = cluster(made(admin_cidrs=["198.51.100.7/32"])[0]).inputs
    (block,) = inputs["masterAuthorizedNetworksConfig"]["cidrBlocks"]
    assert block["cidrBlock"] == "198.51.100.7/32"
    assert inputs["masterAuthorizedNetworksConfig"]["gcpPublicCidrsAccessEnabled"] is False
    assert inputs["privateClusterConfig"]["enablePrivateEndpoint"] is False


def test_the_dns_name_takes_no_certificates_and_rakazos_own_tokens() -> None:
    """The proof acts as Rakazo, with a token of its ServiceAccount; Google answers it 401 until that is said."""
    endpoints = cluster(committed()).inputs["controlPlaneEndpointsConfig"]["dnsEndpointConfig"]
    assert endpoints == {
        "allowExternalTraffic": True,
        "enableK8sCertsViaDns": False,
        "enableK8sTokensViaDns": True,
    }


def test_strangers_are_told_nothing_and_get_no_role() -> None:
    inputs = cluster(committed()).inputs
    assert inputs["anonymousAuthenticationConfig"] == {"mode": "LIMITED"}
    assert set(inputs["rbacBindingConfig"].values()) == {False}
    assert inputs["enableLegacyAbac"] is False


def kubeconfig(recorder: Recorder) -> dict[str, Any]:
    (provider,) = [item for item in recorder.seen if item.typ == "pulumi:providers:kubernetes"]
    text = provider.inputs["kubeconfig"]
    assert isinstance(text, Secret)
    document: dict[str, Any] = yaml.safe_load(text.value)
    return document


def test_the_kubeconfig_has_no_credential_in_it() -> None:
    """B098: who uses it is whoever Google knows there, on any day."""
    document = kubeconfig(committed())
    (user,) = document["users"]
    assert set(user["user"]) == {"exec"}
    assert user["user"]["exec"]["command"] == "gke-gcloud-auth-plugin"
    assert user["user"]["exec"]["interactiveMode"] == "Never"
    assert document["clusters"][0]["cluster"] == {"server": f"https://{ENDPOINT}"}


def test_another_address_is_the_same_cluster() -> None:
    """B001: the identity is the stack's, whatever the kubeconfig says."""
    (provider,) = [item for item in committed().seen if item.typ == "pulumi:providers:kubernetes"]
    assert provider.inputs["clusterIdentifier"] == "gke:team"
    assert ENDPOINT not in provider.inputs["clusterIdentifier"]


def test_the_cluster_is_protected_here_and_at_google_until_the_file_says_otherwise() -> None:
    """B003: both are explicit, so that `protect: false` and an `up` come before a destroy."""
    for protect in (True, False):
        found = cluster(made(protect=protect)[0])
        assert (found.protect, found.inputs["deletionProtection"]) == (protect, protect)


def test_the_pool_that_google_insists_on_is_gone_and_describes_nothing_later() -> None:
    """B095: what the provider reads back there is another pool's, and would replace the cluster."""
    found = cluster(committed())
    assert found.inputs["removeDefaultNodePool"] is True
    assert found.inputs["initialNodeCount"] == 1
    assert {"nodeConfig", "initialNodeCount"} <= set(found.ignore_changes)
    assert found.inputs["nodeConfig"]["serviceAccount"].startswith("cluster-account@")


def test_google_upgrades_at_night_and_by_channel() -> None:
    """B119, B094: a minor is asked for, so that a patch changes nothing."""
    inputs = cluster(committed()).inputs
    assert inputs["minMasterVersion"] == "1.36"
    assert "nodeVersion" not in inputs
    assert inputs["releaseChannel"] == {"channel": "REGULAR"}
    assert inputs["maintenancePolicy"] == {"dailyMaintenanceWindow": {"startTime": "03:00"}}


def test_pods_have_identities_of_their_own() -> None:
    assert cluster(committed()).inputs["workloadIdentityConfig"] == {"workloadPool": "my-project-1.svc.id.goog"}


def test_the_resolver_is_chosen_and_handed_on_to_policies() -> None:
    """B056, B058, B075: gVisor's packets to it meet the policy."""
    recorded, told = made()
    assert cluster(recorded).inputs["addonsConfig"]["dnsCacheConfig"] == {"enabled": True}
    assert told.dns.addresses == ("169.254.20.10",)
    recorded, told = made(dns="cloud-dns")
    assert cluster(recorded).inputs["addonsConfig"]["dnsCacheConfig"] == {"enabled": False}
    assert cluster(recorded).inputs["dnsConfig"]["clusterDns"] == "CLOUD_DNS"
    assert told.dns.addresses == ("169.254.169.254", "169.254.20.10")
