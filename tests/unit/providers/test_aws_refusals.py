"""What the stand-in for AWS refuses, case by case."""

import json
from typing import Any

import pytest

from tests.providers.refused import RefusedError, UnfinishedError
from tests.unit.providers.aws import MIME, Aws, encoded


@pytest.fixture
def aws() -> Aws:
    return Aws()


def test_a_managed_group_forgets_nested_virtualization_without_a_word(aws: Aws) -> None:
    """B052: no error, and instances on which no virtual machine starts."""
    subnets, role = aws.ready()
    group = aws.group(subnets, role, launchTemplate=aws.template(cpuOptions={"nestedVirtualization": "enabled"}))
    assert "cpuOptions" not in aws.account.instances[group.id]


def test_a_group_of_ones_own_keeps_it(aws: Aws) -> None:
    subnets, role = aws.ready()
    profile = aws.make("instance profile", name="computers", role="nodes").outputs["arn"]
    template = aws.template(
        cpuOptions={"nestedVirtualization": "enabled"}, instanceType="m7i.2xlarge", iamInstanceProfile={"arn": profile}
    )
    wanted = {
        "name": "computers",
        "minSize": 1,
        "maxSize": 2,
        "vpcZoneIdentifiers": subnets,
        "launchTemplate": template,
    }
    with pytest.raises(RefusedError, match="no access entry of type EC2_LINUX"):
        aws.make("group", **wanted)
    aws.make("access entry", clusterName="rakazo-team", principalArn=role, type="EC2_LINUX")
    aws.make("group", **wanted)
    assert aws.account.instances["computers"]["cpuOptions"] == {"nestedVirtualization": "enabled"}


@pytest.mark.parametrize(
    ("template", "inputs", "says"),
    [
        ({"iamInstanceProfile": {"arn": "a"}}, {}, "iamInstanceProfile"),
        ({"instanceInitiatedShutdownBehavior": "stop"}, {}, "instanceInitiatedShutdownBehavior"),
        ({"networkInterfaces": [{"subnetId": "subnet-1"}]}, {}, "networkInterfaces.subnetId"),
        ({"imageId": "ami-1"}, {}, "B091"),
        ({"instanceType": "m7i.large"}, {}, "instanceType"),
        ({}, {"diskSize": 50}, "diskSize"),
        ({"userData": encoded("#!/bin/bash\n")}, {}, "MIME multipart"),
        ({}, {"scalingConfig": {"desiredSize": 1, "minSize": 2, "maxSize": 3}}, "Minimum capacity 2 can't be greater"),
        ({}, {"scalingConfig": {"desiredSize": 4, "minSize": 2, "maxSize": 3}}, "can't be greater than max size 3"),
        ({}, {"nodeGroupNamePrefix": "c" * 38}, "has 38 characters, at most 37"),
        ({}, {"instanceTypes": ["m7i.8xlarge"]}, "is not offered"),
    ],
)
def test_a_template_that_a_managed_group_does_not_take(
    aws: Aws, template: dict[str, Any], inputs: dict[str, Any], says: str
) -> None:
    subnets, role = aws.ready()
    with pytest.raises(RefusedError, match=says):
        aws.group(subnets, role, launchTemplate=aws.template(**template), **inputs)


def test_a_minimum_above_the_number_of_nodes_is_no_change_that_is_taken(aws: Aws) -> None:
    """The number of nodes is an autoscaler's or a person's, and comes first."""
    subnets, role = aws.ready()
    group = aws.group(subnets, role, launchTemplate=aws.template())
    with pytest.raises(RefusedError, match="Minimum capacity 2 can't be greater than desired size 1"):
        aws.change("node group", group, scalingConfig={"desiredSize": 1, "minSize": 2, "maxSize": 2})


def test_user_data_of_mime_parts_is_taken(aws: Aws) -> None:
    subnets, role = aws.ready()
    aws.group(subnets, role, launchTemplate=aws.template(userData=encoded(MIME)))


@pytest.mark.parametrize(("data", "says"), [("not base64!", "BASE64"), (encoded("x" * 16_385), "16384 bytes")])
def test_user_data_that_no_instance_takes(aws: Aws, data: str, says: str) -> None:
    with pytest.raises(RefusedError, match=says):
        aws.template(userData=data)


def test_nodes_without_the_network_add_on_never_join(aws: Aws) -> None:
    subnets, role = aws.network(), aws.role("nodes", "AmazonEKSWorkerNodePolicy")
    aws.cluster(subnets)
    with pytest.raises(UnfinishedError, match="vpc-cni is not there"):
        aws.group(subnets, role)


def test_nodes_without_a_way_out_never_join(aws: Aws) -> None:
    """B093."""
    subnets, role = aws.network(routed=False), aws.role("nodes", "AmazonEKSWorkerNodePolicy")
    aws.cluster(subnets)
    for name in ("vpc-cni", "kube-proxy"):
        aws.addon(name)
    with pytest.raises(UnfinishedError, match="no way to the internet"):
        aws.group(subnets, role)


def test_nodes_whose_role_may_not_join(aws: Aws) -> None:
    subnets, _ = aws.ready()
    with pytest.raises(UnfinishedError, match="AmazonEKSWorkerNodePolicy is missing"):
        aws.group(subnets, aws.role("powerless"))


def test_dns_without_a_node_is_degraded(aws: Aws) -> None:
    subnets, role = aws.ready()
    with pytest.raises(UnfinishedError, match="InsufficientNumberOfReplicas"):
        aws.addon("coredns")
    del aws.account.all("addon")["rakazo-team:coredns"]
    aws.group(subnets, role)
    aws.addon("coredns")


@pytest.mark.parametrize(
    ("name", "inputs", "says"),
    [
        ("weave", {}, "not supported"),
        ("kube-proxy", {"addonVersion": "v1.35.0-eksbuild.1"}, "not supported for 1.36"),
        ("vpc-cni", {"configurationValues": json.dumps({"enableNetworkpolicy": "true"})}, "enableNetworkpolicy"),
        (
            "aws-ebs-csi-driver",
            {"podIdentityAssociations": [{"roleArn": "a", "serviceAccount": "s"}]},
            "eks-pod-identity-agent",
        ),
    ],
)
def test_an_add_on_that_eks_does_not_take(aws: Aws, name: str, inputs: dict[str, Any], says: str) -> None:
    aws.cluster(aws.network())
    with pytest.raises(RefusedError, match=says):
        aws.addon(name, **inputs)


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"name": "rakazo team"}, "characters"),
        ({"name": "r" * 101}, "has 101 characters, at most 100"),
        ({"version": "1.20"}, "unsupported Kubernetes version"),
        ({"version": "1.33", "upgradePolicy": {"supportType": "STANDARD"}}, "extended support"),
        ({"vpcConfig": {"publicAccessCidrs": ["10.0.0.0/8"]}}, "reserved"),
        ({"vpcConfig": {"endpointPublicAccess": False, "endpointPrivateAccess": False}}, "cannot both be false"),
        ({"kubernetesNetworkConfig": {"serviceIpv4Cidr": "10.0.0.0/20"}}, "overlaps"),
    ],
)
def test_a_cluster_that_eks_does_not_take(aws: Aws, inputs: dict[str, Any], says: str) -> None:
    subnets = aws.network()
    with pytest.raises(RefusedError, match=says):
        aws.cluster(subnets, **inputs)


def test_a_cluster_in_one_zone_is_none(aws: Aws) -> None:
    (first, _) = aws.network()
    with pytest.raises(RefusedError, match="two different AZs"):
        aws.cluster([first])


@pytest.mark.parametrize("version", ["1.38", "1.35"])
def test_a_cluster_goes_one_minor_up_and_never_back(aws: Aws, version: str) -> None:
    cluster = aws.cluster(aws.network())
    with pytest.raises(RefusedError, match=r"version update from 1\.36"):
        aws.change("cluster", cluster, version=version)
    aws.change("cluster", cluster, version="1.37")


def test_a_protected_cluster_stays(aws: Aws) -> None:
    cluster = aws.cluster(aws.network(), deletionProtection=True)
    with pytest.raises(RefusedError, match="deletion protection"):
        aws.delete("cluster", cluster)


def test_a_log_that_nobody_made_is_left_behind(aws: Aws) -> None:
    """B089."""
    cluster = aws.cluster(aws.network(), enabledClusterLogTypes=["audit"])
    aws.delete("cluster", cluster)
    assert aws.account.summary()["log group"] == ["/aws/eks/rakazo-team/cluster"]


def test_what_is_in_use_stays(aws: Aws) -> None:
    """B089: a subnet of nodes, their role, a group that a rule names."""
    subnets, role = aws.ready()
    group = aws.group(subnets, role)
    for kind, identifier in (("subnet", subnets[0]), ("role", "nodes"), ("cluster", "rakazo-team")):
        with pytest.raises(RefusedError, match="has dependent objects"):
            aws.account.remove(kind, identifier)
    aws.delete("node group", group)
    assert group.id not in aws.account.all("node group")


def test_an_entry_exists_once_and_an_instances_entry_has_no_policy(aws: Aws) -> None:
    """B087."""
    aws.cluster(aws.network())
    entry = {"clusterName": "rakazo-team", "principalArn": "arn:a"}
    aws.make("access entry", **entry, type="EC2_LINUX")
    with pytest.raises(RefusedError, match="already exists"):
        aws.make("access entry", **entry)
    with pytest.raises(RefusedError, match="EC2_LINUX"):
        aws.make("access policy", **entry, policyArn="arn:p", accessScope={"type": "cluster"})


@pytest.mark.parametrize("mode", ["CONFIG_MAP"])
def test_entries_need_their_mode(aws: Aws, mode: str) -> None:
    """C16."""
    aws.cluster(aws.network(), accessConfig={"authenticationMode": mode})
    with pytest.raises(RefusedError, match="must be API"):
        aws.make("access entry", clusterName="rakazo-team", principalArn="arn:a")


def test_names_that_iam_does_not_take(aws: Aws) -> None:
    with pytest.raises(RefusedError, match="has 65 characters, at most 64"):
        aws.role("r" * 65)
    with pytest.raises(RefusedError, match="does not exist or is not attachable"):
        aws.role("nodes", "AmazonEverything")
