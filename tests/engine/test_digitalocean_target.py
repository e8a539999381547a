"""The target `digitalocean`: a stand-in of DigitalOcean's API, and an embedded cluster that it hands out.

The tests are one life of a stack, in their order. gVisor comes onto the nodes as it does there, through the node
installer. Nothing is proven about DigitalOcean beyond the stand-in's tables, and nothing about its Cilium.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.bare_cluster import start
from tests.cloud_credentials import CloudCredentials
from tests.cloud_stack import CONSOLE, CloudStack, cloud_stack
from tests.expected_plan import check_plan
from tests.gvisor_mirror import Mirror
from tests.providers.digitalocean import Account, DigitaloceanPackage
from tests.providers.digitalocean.account import NEVER

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
STACK = "digitalocean"
TOKEN = f"dop_v1_{'0123456789abcdef' * 4}"
ELSEWHERE = "11111111-2222-3333-4444-555555555555"
WEEK_AGO = "2020-01-01T00:00:00Z"
GROWN = {"target.computers": {"size": "s-8vcpu-16gb", "minimum": 2, "maximum": 5}}
DIGEST = f"localhost/rakazo-stand-in/app@sha256:{'0' * 64}"


@dataclass(frozen=True, kw_only=True)
class Cloud:
    """The account, and the stack that is to come into it."""

    account: Account
    stack: CloudStack


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    accounts = list[Account]()

    def packages(credentials: CloudCredentials) -> list[DigitaloceanPackage]:
        credentials.make_kind("cilium.io", "v2", "CiliumNetworkPolicy", "ciliumnetworkpolicies")
        accounts.append(Account(behind=credentials))
        return [DigitaloceanPackage(accounts[0])]

    settings = {
        "target.vpc": {"range": "10.10.0.0/24"},
        "target.network": {"pods": "10.42.0.0/16", "services": "10.43.0.0/16"},
        "target.protect": False,
        "target.gvisor": Mirror(f"cloud-{STACK}", CONSOLE).settings,
    }
    with cloud_stack(
        STACK,
        packages,
        settings=settings,
        secrets={"rakazo:digitalocean_token": TOKEN},
        storage_classes=["do-block-storage-retain"],
        start=start,
    ) as stack:
        yield Cloud(account=accounts[0], stack=stack)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.computers": {"size": "s-1vcpu-1gb"}}, "too small for a node"),
        ({"target.computers": {"size": "m-2vcpu-16gb"}}, "which DigitalOcean does not have"),
        ({"target.kubernetes_version": "1.35"}, "stays"),
        ({"target.destroy_all_associated_resources": None}, "destroy_all_associated_resources"),
        ({"target.vpc.id": ELSEWHERE}, "names no VPC that the token may see"),
        ({"runtime": {"kind": "kata"}}, "virtualization"),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    cloud: Cloud, changes: dict[str, Any], says: str
) -> None:
    """B053, B094, B096, B099."""
    if says == "stays":
        cloud.account.catalogue.versions.remove("1.35.6-do.1")
        says = 'write one of "1.37", "1.36"'
    assert says in cloud.stack.refusal(changes)
    assert cloud.account.summary() == {}


def test_one_command_makes_a_cluster_and_a_proven_rakazo_on_it(cloud: Cloud) -> None:
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "claims proven" in outcome.output
    print(f"{cloud.stack.count()} resources")
    assert cloud.account.summary() == {
        "VPC": ["rakazo-digitalocean-network"],
        "cluster": ["rakazo-digitalocean-cluster"],
        "node pool": ["computers-s-8vcpu-16gb", "system-s-4vcpu-8gb"],
    }


def test_what_is_up_needs_no_change(cloud: Cloud) -> None:
    """B001, B094: also now that a newer patch is offered."""
    cloud.account.catalogue.versions.insert(1, "1.36.9-do.0")
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.output


@pytest.mark.parametrize(
    ("change", "settings"),
    [
        ("node-size", {"target.computers.size": "g-8vcpu-32gb"}),
        ("system-node-size", {"target.system.size": "s-8vcpu-16gb"}),
        ("kubernetes-minor", {"target.kubernetes_version": "1.37"}),
        ("image-digest", {"images.app": DIGEST}),
        ("admin-range", {"target.admin_cidrs": ["203.0.113.7/32"]}),
        ("replica-count", {"application.web_replicas": 3}),
        ("volumes-go-along", {"target.destroy_all_associated_resources": True}),
    ],
)
def test_a_change_is_exactly_the_committed_plan(cloud: Cloud, change: str, settings: dict[str, Any]) -> None:
    """B095, B025: no node size, minor, image or range replaces a cluster or a database."""
    check_plan(STACK, change, cloud.stack.plan(settings))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.kubernetes_version": "1.35"}, "it cannot go back"),
        ({"target.ha": False}, "can never be switched off"),
    ],
)
def test_what_the_cluster_can_no_longer_become_is_refused_at_preview(
    cloud: Cloud, changes: dict[str, Any], says: str
) -> None:
    """B097: also where somebody switched it on in DigitalOcean's console."""
    (cluster,) = cloud.account.all("cluster").values()
    cluster["ha"] = "target.ha" in changes
    told = cloud.stack.refusal(changes)
    cluster["ha"] = False
    assert says in told


def test_one_changed_setting_is_one_update(cloud: Cloud) -> None:
    assert cloud.stack.plan(GROWN) == {"update": ["cluster-computers"]}
    cloud.stack.write(GROWN)
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    pools = {pool["name"]: pool["nodes"] for pool in cloud.account.all("node pool").values()}
    assert pools == {"computers-s-8vcpu-16gb": 2, "system-s-4vcpu-8gb": 1}


def test_no_secret_is_in_the_state_or_the_plan(cloud: Cloud) -> None:
    """B008, B009: nor a way in to the cluster."""
    assert cloud.stack.leaks() == []
    (cluster,) = cloud.account.all("cluster").values()
    assert cluster["kubeConfigs"][0]["token"] not in cloud.stack.pulumi.must("stack", "export")


def test_on_the_eighth_day_the_stack_is_still_within_reach_and_nothing_is_replaced(cloud: Cloud) -> None:
    """B001, B098: the state's credential has ended, as DigitalOcean ends it after a week."""
    (cluster,) = cloud.account.all("cluster").values()
    cloud.account.credentials_expire = WEEK_AGO
    cluster["kubeConfigs"] = [cloud.account.kube_config(cluster)]
    cloud.stack.pulumi.must("refresh", "--yes", "--skip-preview", "--target", "**cluster-control-plane")
    cloud.account.credentials_expire = NEVER
    cloud.stack.credentials.expire()
    assert cloud.stack.plan({**GROWN, "application.web_replicas": 3}) == {
        "update": ["cluster-kubernetes", "rakazo-web"]
    }


def test_destroy_leaves_nothing_in_the_account(cloud: Cloud) -> None:
    """B011, B096, B098: the volumes go along when that was said before, and a destroy a week later has a way in."""
    cloud.stack.write({**GROWN, "target.destroy_all_associated_resources": True})
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    cloud.stack.credentials.expire()
    outcome = cloud.stack.destroy("--run-program")
    assert outcome.code == 0, outcome.diagnostics
    assert cloud.account.summary() == {}
    left = [name for name in cloud.stack.credentials.namespaces() if name.startswith("rakazo")]
    assert left == []
