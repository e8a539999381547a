"""Pods made with the rights of Rakazo's own service account, as api and worker make them."""

from typing import Any

from kubernetes import client

from probes import account
from probes.account import Computers
from probes.cast import written_by_rakazo
from tests.deployments import Deployed

ACCOUNT = "rakazo"


def account_client(deployed: Deployed, name: str = ACCOUNT, namespace: str | None = None) -> client.ApiClient:
    """Return a client that holds a short-lived token of a service account of the application's namespace."""
    return account.account_client(deployed.api, namespace or deployed.application, name)


def as_rakazo(deployed: Deployed) -> Computers:
    """The computers' namespace, seen with Rakazo's rights."""
    return Computers(account_client(deployed), deployed.api, deployed.computers)


def as_computer(name: str, deployed: Deployed, command: list[str] | None = None) -> dict[str, Any]:
    """Return a pod with the fields that Rakazo writes and no others."""
    return written_by_rakazo(name, deployed.images["computer"], f"{deployed.application}-gvisor", command)
