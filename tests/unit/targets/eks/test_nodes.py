"""Nodes at AWS: what they are started with. EC2 and EKS have not seen it."""

import base64

from components.contracts import OwnNodes
from components.targets.eks import self_managed_group
from tests.providers.aws.node_group import FORBIDDEN
from tests.unit.clouds import aws
from tests.unit.graph import everything_before, named
from tests.unit.recorder import Recorder, Registered
from tests.unit.targets.eks.example import committed, made, with_virtual_machines

POOL = {"rakazo-infra/pool": "computers"}


def templates(recorder: Recorder) -> dict[str, Registered]:
    return {item.name: item for item in recorder.of_kind("LaunchTemplate")}


def managed(recorder: Recorder) -> list[Registered]:
    return [item for item in recorder.of_kind("NodeGroup") if item.typ.startswith("aws:")]


def test_no_pod_of_its_own_network_reaches_the_metadata_of_its_node() -> None:
    """B086: a token, and one hop."""
    assert len(templates(committed())) == 2
    for template in templates(committed()).values():
        options = template.inputs["metadataOptions"]
        assert (options["httpTokens"], options["httpPutResponseHopLimit"]) == ("required", 1)


def test_drivers_are_somebody_at_aws_without_their_node() -> None:
    """B086: what hop limit 1 takes from them, an identity of their own gives back."""
    (driver,) = (item for item in committed().of_kind("Addon") if "ebs" in item.inputs["addonName"])
    (identity,) = driver.inputs["podIdentityAssociations"]
    assert identity["serviceAccount"] == "ebs-csi-controller-sa"
    assert identity["roleArn"].endswith("cluster-disks-role")
    trust = named(committed(), "cluster-disks-role").inputs["assumeRolePolicy"]
    assert "pods.eks.amazonaws.com" in trust
    assert '"region": "eu-central-1"' in driver.inputs["configurationValues"]


def test_a_template_of_a_managed_group_says_nothing_that_eks_refuses_or_forgets() -> None:
    """B052, B091: neither an image beside a version, nor how the processor starts."""
    for template in templates(committed()).values():
        said = set(template.inputs)
        assert said & {*FORBIDDEN, "cpuOptions", "imageId", "instanceType", "networkInterfaces"} == set()
    for group in managed(committed()):
        assert group.inputs["version"] == "1.36"


def test_disks_are_encrypted_and_go_with_their_node() -> None:
    for template in templates(committed()).values():
        (disk,) = template.inputs["blockDeviceMappings"]
        assert disk["ebs"]["encrypted"] == "true"
        assert disk["ebs"]["deleteOnTermination"] == "true"


def test_computers_have_nodes_of_their_own_and_nothing_else_has_them() -> None:
    """B047."""
    computers, system = (named(committed(), f"cluster-nodes-{pool}") for pool in ("computers", "system"))
    assert computers.inputs["labels"] == POOL
    assert computers.inputs["taints"] == [{"key": "rakazo-infra/pool", "value": "computers", "effect": "NO_SCHEDULE"}]
    assert system.inputs["labels"] == {"rakazo-infra/pool": "system"}
    assert not system.inputs.get("taints")


def test_the_database_finds_its_disk_in_the_zone_where_its_nodes_are() -> None:
    """A disk never leaves its zone: a new node of another one could not mount it."""
    assert named(committed(), "cluster-nodes-system").inputs["subnetIds"] == ["cluster-vpc-nodes-eu-central-1a-id"]
    assert len(named(committed(), "cluster-nodes-computers").inputs["subnetIds"]) == 2


def test_a_group_makes_room_for_its_successor() -> None:
    """Its name is free while the old one drains: a change of the type replaces the group, not the cluster."""
    for group in managed(committed()):
        assert "nodeGroupName" not in group.inputs
        assert not group.delete_before_replace


def test_a_fixed_number_is_kept_and_a_range_is_somebody_elses() -> None:
    fixed = named(committed(), "cluster-nodes-computers")
    assert fixed.inputs["scalingConfig"] == {"desiredSize": 2, "minSize": 2, "maxSize": 2}
    assert fixed.ignore_changes == ()
    ranged = named(made(computers={"minimum": 0, "maximum": 4})[0], "cluster-nodes-computers")
    assert ranged.inputs["scalingConfig"] == {"desiredSize": 0, "minSize": 0, "maxSize": 4}
    assert ranged.ignore_changes == ("scalingConfig.desiredSize",)


def test_virtual_machines_get_a_group_that_remembers_how_to_start() -> None:
    """B052."""
    recorder = made(file="eks-kata", computers={"minimum": 1, "maximum": 4})[0]
    template = templates(recorder)["cluster-nodes-computers-template"].inputs
    assert template["cpuOptions"] == {"nestedVirtualization": "enabled"}
    assert template["imageId"] == f"resolve:ssm:{self_managed_group.image_parameter('1.36')}"
    assert (template["metadataOptions"]["httpTokens"], template["metadataOptions"]["httpPutResponseHopLimit"]) == (
        "required",
        1,
    )
    assert [item.name for item in managed(recorder)] == ["cluster-nodes-system"]
    (group,) = (item for item in recorder.of_kind("Group") if item.typ.startswith("aws:"))
    assert (group.inputs["minSize"], group.inputs["maxSize"]) == (1, 4)
    assert {"cluster-nodes-computers-joins", "cluster-vpc-cni"} <= everything_before(recorder, group)


def test_its_nodes_are_let_in_by_an_entry_of_their_own_role() -> None:
    """B024, B087."""
    entries = {
        item.inputs["type"]: item.inputs["principalArn"] for item in with_virtual_machines()[0].of_kind("AccessEntry")
    }
    assert entries["EC2_LINUX"].endswith("cluster-nodes-computers-role")


def test_its_nodes_know_where_to_join_and_who_they_are() -> None:
    template = templates(with_virtual_machines()[0])["cluster-nodes-computers-template"]
    told = base64.b64decode(template.inputs["userData"]).decode()
    for part in (aws.ENDPOINT, "name: rakazo-team", "cidr: 172.20.0.0/16"):
        assert part in told
    assert "--node-labels=rakazo-infra/pool=computers" in told
    assert "--register-with-taints=rakazo-infra/pool=computers:NoSchedule" in told


def test_a_whole_machine_is_told_nothing_about_nesting() -> None:
    recorder = made(file="eks-kata", computers__type="m5.metal")[0]
    template = templates(recorder)["cluster-nodes-computers-template"]
    assert "cpuOptions" not in template.inputs


def test_virtual_machines_are_installed_onto_them_by_whoever_makes_the_sandbox() -> None:
    """B047: nodes of the stack bring no Kata, so a class alone would lead nowhere."""
    assert with_virtual_machines()[1].own_nodes == OwnNodes(distribution="k8s")
