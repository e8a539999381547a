"""A committed stack of EKS on a stand-in of AWS' API, and the part of its life that is the same for all of them."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from local import cluster as embedded
from local.cluster import ClusterFolder, addresses
from tests.cloud_credentials import CloudCredentials
from tests.cloud_stack import CloudStack, cloud_stack
from tests.providers.aws import Account, AwsPackage
from tests.volume_driver import install_driver

DRIVERS = {"aws-ebs-csi-driver": "ebs.csi.aws.com"}
DIGEST = f"localhost/rakazo-stand-in/app@sha256:{'0' * 64}"
SETTINGS: Mapping[str, Any] = {
    "target.network": {"kind": "own", "nodes": "10.10.0.0/16", "pods": addresses.POD_RANGE, "nat": "one"},
    "target.services": addresses.SERVICE_RANGE,
    "target.protect": False,
}
"""The embedded cluster's ranges; its nodes are in the first subnet."""
WIDER: Mapping[str, Any] = {"target.admin_cidrs": ["203.0.113.7/32"]}
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "node-size": {"target.computers.type": "m7i.4xlarge"},
    "node-count": {"target.computers.minimum": 3, "target.computers.maximum": 3},
    "kubernetes-minor": {"target.kubernetes_version": "1.37"},
    "image-digest": {"images.app": DIGEST},
    "admin-range": WIDER,
    "replica-count": {"application.web_replicas": 3},
}
"""Name of a change, whose plan is in a committed file, to the settings that make it."""
TOKEN = re.compile(r"eyJ[\w-]+\.eyJ[\w-]+")
"""Two parts of a token of Kubernetes; one alone stands by chance in what is encrypted."""


@dataclass(frozen=True, kw_only=True)
class EksCloud:
    """The account, and the stack that is to come into it."""

    account: Account
    stack: CloudStack


@contextmanager
def eks_cloud(
    stack: str,
    settings: Mapping[str, Any] | None = None,
    start: Callable[[str, Console], object] = embedded.up,
) -> Iterator[EksCloud]:
    """Start both; `settings` are more of what differs from the committed file, and `start` is `cloud_stack`'s."""
    accounts = list[Account]()

    def installed(addon: str) -> None:
        if addon in DRIVERS:
            install_driver(ClusterFolder(f"cloud-{stack}").kubeconfig, DRIVERS[addon])

    def packages(credentials: CloudCredentials) -> list[AwsPackage]:
        accounts.append(Account(cluster=credentials, installed=installed))
        return [AwsPackage(accounts[0])]

    with cloud_stack(stack, packages, settings={**SETTINGS, **(settings or {})}, start=start) as made:
        made.put_exec_plugin("aws")
        yield EksCloud(account=accounts[0], stack=made)


def let_in_from_elsewhere(cloud: EksCloud) -> None:
    """Carry out one change: the plan says what happens, and AWS has it afterwards."""
    planned = cloud.stack.plan(WIDER)
    cloud.stack.write(WIDER)
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert planned == {"update": ["cluster"]}
    (cluster,) = cloud.account.all("cluster").values()
    assert cluster["vpcConfig"]["publicAccessCidrs"] == WIDER["target.admin_cidrs"]


def keep_secrets(cloud: EksCloud) -> None:
    """Find no secret and no token where anybody may read."""
    assert cloud.stack.leaks() == []
    assert TOKEN.search(cloud.stack.credentials.token()), "no token would be found"
    assert not TOKEN.search(cloud.stack.pulumi.must("stack", "export"))


def take_down(cloud: EksCloud) -> None:
    """Destroy the stack; nothing is left in the account."""
    outcome = cloud.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert cloud.account.summary() == {}
