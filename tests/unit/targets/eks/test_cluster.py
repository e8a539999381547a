"""A cluster at AWS: who enters, what is encrypted, what comes before what. AWS has not seen it."""

import yaml

from components.targets.eks.kubeconfig import render_kubeconfig
from components.targets.eks.names import LONGEST_GROUP_PREFIX, LONGEST_ROLE, group_prefix
from stacks.object_name import LONGEST
from tests.unit.clouds.aws import DEPLOYER
from tests.unit.graph import everything_before, named
from tests.unit.outputs import API_SERVER
from tests.unit.recorder import Secret
from tests.unit.targets.eks.example import NETWORKS, addon, addon_settings, committed, made


def test_support_ends_with_the_standard_one() -> None:
    """B090: unsaid, an old version costs six times as much, and there is no way back."""
    assert named(committed(), "cluster").inputs["upgradePolicy"] == {"supportType": "STANDARD"}


def test_who_enters_is_written_down_once_for_each_and_nowhere_else() -> None:
    """B024, B087: no ConfigMap in the cluster, nothing that whoever made it gets by that."""
    cluster = named(committed(), "cluster")
    assert cluster.inputs["accessConfig"] == {
        "authenticationMode": "API",
        "bootstrapClusterCreatorAdminPermissions": False,
    }
    two = made(administrators=[DEPLOYER, "arn:aws:iam::111122223333:role/people/operator"])[0]
    entries = [item.inputs["principalArn"] for item in two.of_kind("AccessEntry")]
    rights = {
        item.inputs["principalArn"]: item.inputs["accessScope"] for item in two.of_kind("AccessPolicyAssociation")
    }
    assert len(entries) == len(set(entries)) == 2
    assert rights == {entry: {"type": "cluster"} for entry in entries}
    assert two.of_kind("ConfigMap") == []


def test_the_api_answers_administrators_and_the_vpc() -> None:
    network = named(committed(), "cluster").inputs["vpcConfig"]
    assert (network["endpointPrivateAccess"], network["endpointPublicAccess"]) == (True, True)
    assert network["publicAccessCidrs"] == ["198.51.100.7/32"]


def test_nobody_is_no_endpoint_rather_than_an_empty_list() -> None:
    """B038: EKS takes an empty list for everybody."""
    network = named(made(admin_cidrs=[])[0], "cluster").inputs["vpcConfig"]
    assert network["endpointPublicAccess"] is False
    assert "publicAccessCidrs" not in network


def test_what_is_kept_is_encrypted_logged_and_protected() -> None:
    cluster, key = named(committed(), "cluster"), named(committed(), "cluster-key")
    assert cluster.inputs["encryptionConfig"]["resources"] == ["secrets"]
    assert key.inputs["enableKeyRotation"] is True
    assert cluster.inputs["enabledClusterLogTypes"] == ["audit", "authenticator"]
    (logs,) = committed().of_kind("LogGroup")
    assert logs.inputs["name"] == "/aws/eks/rakazo-team/cluster"
    assert logs.name in everything_before(committed(), cluster), "else EKS makes it and leaves it behind"
    assert (cluster.inputs["deletionProtection"], cluster.protect, key.protect) == (True, True, True)
    open_ = named(made(protect=False)[0], "cluster")
    assert (open_.inputs["deletionProtection"], open_.protect) == (False, False)


def test_policies_are_enforced_and_that_from_the_first_node_on() -> None:
    """B068: unsaid, the add-on takes policies and enforces none."""
    assert addon_settings(committed(), "vpc-cni")["enableNetworkPolicy"] == "true"
    for pool in ("cluster-nodes-system", "cluster-nodes-computers"):
        group = named(committed(), pool)
        assert {"cluster-vpc-cni", "cluster-kube-proxy", "cluster-eks-pod-identity-agent"} <= everything_before(
            committed(), group
        )


def test_pods_without_a_policy_are_left_alone_and_computers_wait_for_theirs() -> None:
    """B067: the strict mode would close DNS; what is open for a moment, the wait in front of computers covers."""
    recorder, cluster = made()
    assert addon_settings(recorder, "vpc-cni")["env"]["NETWORK_POLICY_ENFORCING_MODE"] == "standard"
    assert cluster.mutates_admission


def test_dns_and_drivers_come_when_there_is_a_node_for_them() -> None:
    for name in ("coredns", "aws-ebs-csi-driver"):
        assert "cluster-nodes-system" in everything_before(committed(), addon(committed(), name))


def test_every_add_on_is_declared_since_eks_brings_none() -> None:
    assert named(committed(), "cluster").inputs["bootstrapSelfManagedAddons"] is False
    assert {item.inputs["addonName"] for item in committed().of_kind("Addon")} == {
        "vpc-cni",
        "kube-proxy",
        "eks-pod-identity-agent",
        "coredns",
        "aws-ebs-csi-driver",
    }


def test_pods_have_subnets_and_a_security_group_of_their_own() -> None:
    told = addon_settings(committed(), "vpc-cni")
    assert told["env"]["AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG"] == "true"
    assert told["env"]["ENI_CONFIG_LABEL_DEF"] == "topology.kubernetes.io/zone"
    assert told["eniConfig"]["subnets"] == {
        zone: {"id": f"cluster-vpc-pods-{zone}-id", "securityGroups": ["cluster-groups-pods-id"]}
        for zone in ("eu-central-1a", "eu-central-1b")
    }


def test_the_way_in_is_a_token_of_the_moment_and_none_is_kept() -> None:
    """B098: what is in the state works for whoever is somebody at AWS, and for nobody else."""
    recorder, cluster = made()
    (provider,) = [item for item in recorder.seen if item.typ == "pulumi:providers:kubernetes"]
    text = provider.inputs["kubeconfig"]
    assert isinstance(text, Secret)
    (user,) = yaml.safe_load(text.value)["users"]
    assert user["user"].keys() == {"exec"}
    assert user["user"]["exec"]["args"][2:6] == ["eks", "get-token", "--cluster-name", "rakazo-team"]
    assert cluster.access.context == "rakazo-team"


def test_another_certificate_is_the_same_cluster() -> None:
    """B001, B002."""
    (provider,) = [item for item in committed().seen if item.typ == "pulumi:providers:kubernetes"]
    assert provider.inputs["clusterIdentifier"] == "eks:team"


def test_nothing_enters_the_cluster_before_somebody_may_and_something_resolves_names() -> None:
    (provider,) = [item for item in committed().seen if item.typ == "pulumi:providers:kubernetes"]
    before = everything_before(committed(), provider)
    assert {"cluster-entry-role-rakazo-deploy-administrates", "cluster-coredns", "cluster-nodes-computers"} <= before


def test_what_a_node_needs_goes_after_it() -> None:
    """B089: rules, routes and roles outlive whoever cleans up with them."""
    for pool in ("cluster-nodes-system", "cluster-nodes-computers"):
        before = everything_before(committed(), named(committed(), pool))
        assert {
            "cluster-groups-nodes-out",
            "cluster-groups-api-from-nodes",
            "cluster-vpc-way-out-nodes-eu-central-1a-out",
            "cluster-nodes-role-AmazonEKS_CNI_Policy",
            "cluster-role-AmazonEKSClusterPolicy",
        } <= before


def test_the_contract_tells_pods_from_nodes() -> None:
    """B072: and the API, wherever in the nodes' subnets its interfaces are."""
    made()
    network = NETWORKS[-1]
    assert network.pods == ("10.42.0.0/18", "10.42.64.0/18")
    assert network.nodes == ("10.0.0.0/20", "10.0.16.0/20")
    assert network.services == ("172.20.0.0/16",)
    assert network.api_servers == ("10.0.0.0/20:443", "10.0.16.0/20:443", f"{API_SERVER}:443")


def test_names_of_the_longest_stack_are_not_too_long() -> None:
    longest = made(stack="s" * LONGEST, shared_files=True)[0]
    names = [str(item.inputs["name"]) for item in longest.of_kind("Role") if "name" in item.inputs]
    assert len(names) == 4
    assert max(map(len, names)) <= LONGEST_ROLE
    assert max(len(group_prefix(pool)) for pool in ("system", "computers")) <= LONGEST_GROUP_PREFIX


def test_the_kubeconfig_is_short_and_holds_no_secret() -> None:
    text = render_kubeconfig(
        context="rakazo-team", cluster="rakazo-team", region="eu-central-1", endpoint="https://a", authority="Q0E="
    )
    assert "token:" not in text
    assert "client-key" not in text
