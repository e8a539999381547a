"""The target `eks`: a stand-in of AWS' API, and an embedded cluster that it hands out, entered as one of EKS is.

The tests are one life of a stack, in their order. Nothing is proven about AWS beyond the stand-in's tables; that the
nodes' first script does what it should is tests/unit/targets/eks' to say.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.eks_cloud import CHANGES, EksCloud, eks_cloud, keep_secrets, let_in_from_elsewhere, take_down
from tests.expected_plan import check_plan

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
STACK = "eks"
EXISTING = {
    "kind": "existing",
    "vpc": "vpc-00000000000000aaa",
    "subnets": {
        zone: {
            role: {"id": f"subnet-0000000000000{number}{place}", "range": text}
            for place, (role, text) in enumerate((("nodes", f"10.9.{number}.0/24"), ("pods", f"10.8.{number}.0/24")))
        }
        for number, zone in enumerate(("eu-central-1a", "eu-central-1b"), start=10)
    },
}


MORE: Mapping[str, Mapping[str, Any]] = {
    "system-node-size": {"target.system.type": "m7i.2xlarge"},
    "gvisor-release": {"target.gvisor.release": "20261123.0"},
    "nobody-from-outside": {"target.admin_cidrs": []},
    "protected": {"target.protect": True},
    "another-administrator": {
        "target.administrators": [f"arn:aws:iam::111122223333:role/{name}" for name in ("rakazo-deploy", "operator")]
    },
}
"""Changes that are no other for other runtimes."""


@pytest.fixture(scope="module")
def cloud() -> Iterator[EksCloud]:
    with eks_cloud(STACK) as made:
        yield made


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.kubernetes_version": "1.33"}, "1.33"),
        ({"target.kubernetes_version": "1.38"}, "EKS has no 1.38; write one of 1.34, 1.35, 1.36, 1.37"),
        ({"target.zones": ["eu-central-1a", "eu-central-1d"]}, "eu-central-1d is none that this account may use"),
        (
            {"target.administrators": ["arn:aws:iam::111122223333:role/others"]},
            "add arn:aws:iam::111122223333:role/rakazo-deploy",
        ),
        (
            {"target.account": "999922223333", "target.administrators": ["arn:aws:iam::999922223333:role/a"]},
            "not allowed",
        ),
        ({"target.system.type": "m7i.8xlarge"}, "m7i.8xlarge"),
        ({"target.computers.type": "m7g.2xlarge"}, "Arm"),
        ({"target.admin_cidrs": ["0.0.0.0/0"]}, "admin_cidrs"),
        ({"target.network.pods": "100.64.0.0/16"}, "Rakazo's web dials computers only there"),
        ({"target.network": EXISTING}, "ResourceNotFoundException"),
        ({"target.gvisor": None}, "target.gvisor is missing"),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    cloud: EksCloud, changes: dict[str, Any], says: str
) -> None:
    """B038, B072, B087, B090."""
    told = cloud.stack.refusal(changes)
    assert says in told, told
    assert cloud.account.summary() == {}


def test_one_command_makes_a_cluster_and_a_proven_rakazo_on_it(cloud: EksCloud) -> None:
    """B085: the volumes come from the stack's own class."""
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "claims proven" in outcome.output
    print(f"{cloud.stack.count()} resources")
    assert cloud.account.summary()["cluster"] == ["rakazo-eks"]
    assert len(cloud.account.all("node group")) == 2


def test_what_is_up_needs_no_change(cloud: EksCloud) -> None:
    """B001."""
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.output


@pytest.mark.parametrize(("change", "settings"), [*CHANGES.items(), *MORE.items()])
def test_a_change_does_what_is_written_down_for_it_and_replaces_no_data(
    cloud: EksCloud, change: str, settings: Mapping[str, Any]
) -> None:
    """B002, B003: neither the cluster nor anything in it is made anew."""
    check_plan(STACK, change, cloud.stack.plan(settings))


def test_one_change_is_carried_out_as_planned(cloud: EksCloud) -> None:
    let_in_from_elsewhere(cloud)


def test_no_secret_and_no_token_is_in_the_state_or_the_plan(cloud: EksCloud) -> None:
    """B008, B009, B098: the way in is a program's answer of that moment."""
    keep_secrets(cloud)


def test_destroy_leaves_nothing_in_the_account(cloud: EksCloud) -> None:
    """B011, B089: not even the log that EKS would make itself."""
    take_down(cloud)
