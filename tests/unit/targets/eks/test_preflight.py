"""What a preview asks AWS before anything is made, and what it says to the answers."""

from typing import Any

import pulumi
import pytest

from components.targets.eks import answers, network_answers
from stacks.target.eks_network import ExistingNetwork
from tests.unit.clouds import aws
from tests.unit.recorder import Recorder
from tests.unit.stacks.test_eks_target import EXISTING, target
from tests.unit.targets.eks.example import made

ROLE = "arn:aws:iam::111122223333:role/people"


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"caller": ROLE}, f"administrators: whoever runs this program is not among them .* add {ROLE}"),
        ({"zones": ["eu-central-1a"]}, "zones: eu-central-1b is none that this account may use"),
        ({"versions": {"1.35": "STANDARD_SUPPORT"}}, "EKS has no 1.36; write one of 1.35"),
        (
            {"versions": {"1.37": "STANDARD_SUPPORT", "1.36": "EXTENDED_SUPPORT"}},
            "six times the price; write one of 1.37",
        ),
        ({"sold_in": ["eu-central-1a"]}, "computers.type: m7i.2xlarge is not to be had in eu-central-1b"),
        ({"types": ["m7i.2xlarge"]}, "system.type: m7i.xlarge is not to be had in eu-central-1a"),
        ({"architectures": ["arm64"]}, "is no x86-64"),
        ({"hypervisor": "xen"}, "its pods would run out of them"),
    ],
)
def test_what_aws_says_no_to_is_one_error_and_nothing_is_made(told: dict[str, Any], says: str) -> None:
    """B087, B090: as the key and the line to write."""
    seen = list[Recorder]()
    with pytest.raises(pulumi.RunError, match=says):
        seen.append(made(aws.answers(**told))[0])
    assert seen == []


def test_everything_waits_for_the_answers() -> None:
    """Only providers are there before: whoever makes something asks for the region, which they give."""
    recorder = made()[0]
    (first, second) = (item for item in recorder.seen if item.typ == "pulumi:providers:aws")
    assert (first.name, second.name) == ("cluster-preflight", "cluster-aws")
    makers = {item.provider.split("::")[-2] for item in recorder.seen if item.typ.startswith("aws:")}
    assert makers == {"cluster-aws"}
    for provider in (first, second):
        assert "111122223333" in str(provider.inputs["allowedAccountIds"]), "B004: never another account"


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(pulumi.RunError) as raised:
        made(aws.answers(caller=ROLE, zones=["eu-central-1c"]))
    assert len(str(raised.value).splitlines()) == 4


def network(**changes: Any) -> network_answers.NetworkAnswers:
    """Return the answers about a network that exists and can be used, but for the changes."""
    subnets = {
        both[role]["id"]: network_answers.SubnetAnswer(
            **{
                "zone": zone,
                "vpc": EXISTING["vpc"],
                "range": both[role]["range"],
                "free": 4000,
                "tags": {"kubernetes.io/role/internal-elb": "1"},
                **changes.get("subnets", {}),
            }
        )
        for zone, both in EXISTING["subnets"].items()
        for role in ("nodes", "pods")
    }
    vpc = {"ranges": ("10.1.0.0/16", "100.64.0.0/16"), "names": True, **changes.get("vpc", {})}
    return network_answers.NetworkAnswers(vpc=network_answers.VpcAnswer(**vpc), subnets=subnets)


def told(**changes: Any) -> list[str]:
    """Return what is wrong with such a network."""
    wanted = ExistingNetwork.model_validate(dict(EXISTING))
    return list(network_answers.network_faults(wanted, network(**changes)))


def test_a_network_that_can_be_used_is_taken_with_a_range_of_its_neighbours_in_100_64() -> None:
    """B072: computers are kept away from that range anyway."""
    assert told() == []


@pytest.mark.parametrize(
    ("changes", "count", "says"),
    [
        ({"vpc": {"names": False}}, 1, "--enable-dns-hostnames"),
        ({"vpc": {"ranges": ("10.1.0.0/16", "52.0.0.0/16")}}, 1, "its range 52.0.0.0/16 is public"),
        ({"subnets": {"tags": {}}}, 2, "aws ec2 create-tags --resources subnet-0000000000000000a"),
        ({"subnets": {"vpc": "vpc-1"}}, 4, "lies in vpc-1, not in network.vpc"),
        ({"subnets": {"zone": "eu-central-1a"}}, 2, "lies in eu-central-1a; write it there"),
        ({"subnets": {"range": "10.1.0.0/24"}}, 4, "has the range 10.1.0.0/24"),
        ({"subnets": {"free": 3}}, 4, "has 3 addresses left, at least 16"),
    ],
)
def test_a_network_that_cannot_be_used_says_what_to_write(changes: dict[str, Any], count: int, says: str) -> None:
    faults = told(**changes)
    assert len(faults) == count
    assert says in faults[0]


def test_a_type_that_nests_by_name_is_asked_about_at_aws() -> None:
    """B052: what the user guide says by family, AWS says by type and region."""

    def faults(*features: str, nests: bool = True) -> list[str]:
        everything = answers.Answers(
            caller=aws.DEPLOYER,
            zones=aws.ZONES,
            versions=aws.VERSIONS,
            offered=dict.fromkeys(aws.TYPES, aws.ZONES),
            architectures=dict.fromkeys(aws.TYPES, ("x86_64",)),
            hypervisors=dict.fromkeys(aws.TYPES, "nitro"),
            features=dict.fromkeys(aws.TYPES, features),
            nests=nests,
            network=None,
        )
        return answers.faults(target(), everything)

    (fault,) = faults("amd-sev-snp")
    assert "supported CPU features lack nested-virtualization" in fault
    assert faults("nested-virtualization") == faults(nests=False) == []
