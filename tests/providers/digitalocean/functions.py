"""The data sources: what is offered, and what is there."""

from collections.abc import Callable, Mapping

from tests.providers.call import Call
from tests.providers.digitalocean import refusals
from tests.providers.digitalocean.account import Account
from tests.providers.values import Properties

Answer = Callable[[Properties, Call], Properties]
_RENAMED = {
    "controlPlaneFirewall": "controlPlaneFirewalls",
    "maintenancePolicy": "maintenancePolicies",
    "clusterUrn": "urn",
}
_UNTOLD = frozenset({"nodePool", "destroyAllAssociatedResources", "kubeConfigs", *_RENAMED})


def functions(account: Account) -> Mapping[str, Answer]:
    """Return token to function."""
    answers: dict[str, Answer] = {
        "getKubernetesCluster": lambda given, _: _cluster(account, given["name"]),
        "getKubernetesVersions": lambda given, _: _versions(account, given.get("versionPrefix", "")),
        "getSizes": lambda _, __: {"id": "sizes", "sizes": [size.told() for size in account.catalogue.sizes]},
        "getVpc": lambda given, _: _vpc(account, given["id"]),
    }
    return {f"digitalocean:index/{name}:{name}": answer for name, answer in answers.items()}


def _cluster(account: Account, name: str) -> Properties:
    with account.lock:
        found = [(key, each) for key, each in account.all("cluster").items() if each["name"] == name]
        if not found:
            raise refusals.NO_CLUSTER.error(name=name)
        ((identifier, cluster),) = found
        told = {key: value for key, value in cluster.items() if key not in _UNTOLD}
        return {
            **told,
            "id": identifier,
            "urn": cluster["clusterUrn"],
            "autoUpgrade": cluster.get("autoUpgrade", False),
            "surgeUpgrade": cluster.get("surgeUpgrade", True),
            "isolatedWorkers": False,
            "controlPlaneFirewalls": [cluster["controlPlaneFirewall"]],
            "maintenancePolicies": [cluster["maintenancePolicy"]],
            "nodePools": [],
            # A new one at every question (datasource_kubernetes_cluster.go).
            "kubeConfigs": [account.kube_config(cluster)],
        }


def _versions(account: Account, prefix: str) -> Properties:
    fitting = [version for version in account.catalogue.versions if version.startswith(prefix)]
    return {
        "id": "versions",
        "latestVersion": fitting[0] if fitting else "",
        "validVersions": fitting,
        "versionPrefix": prefix,
    }


def _vpc(account: Account, identifier: str) -> Properties:
    with account.lock:
        vpc = account.must("VPC", identifier)
        return {
            "id": identifier,
            "name": vpc["name"],
            "region": vpc["region"],
            "ipRange": vpc["ipRange"],
            "description": vpc.get("description", ""),
            "default": vpc["default"],
            "createdAt": vpc["createdAt"],
            "urn": vpc["vpcUrn"],
        }
