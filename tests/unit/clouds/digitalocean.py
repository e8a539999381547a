"""What DigitalOcean answers on the recording engine."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.unit.clouds.refused import AnswerRefusedError

TOKEN = "invented-token-of-the-state"
NEW_TOKEN = "invented-token-of-this-run"
LATER, EARLIER = "2999-01-01T00:00:00Z", "2020-01-01T00:00:00Z"
VERSIONS = ("1.36.2-do.0", "1.36.1-do.3", "1.35.6-do.1", "1.34.9-do.2")
SIZES = {"s-1vcpu-1gb": 1024, "s-1vcpu-2gb": 2048, "s-4vcpu-8gb": 8192, "s-8vcpu-16gb": 16384, "g-8vcpu-32gb": 32768}
"""Slug to MiB."""
REGIONS = ("fra1", "ams3", "nyc1")
CLUSTER = "digitalocean:index/getKubernetesCluster:getKubernetesCluster"

Answers = Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]


def kube_configs(token: str = TOKEN, expires_at: str = LATER) -> list[dict[str, str]]:
    """What comes with a cluster."""
    return [
        {
            "host": "https://1b4e28ba.k8s.ondigitalocean.com",
            "clusterCaCertificate": "Q0E=",
            "token": token,
            "expiresAt": expires_at,
            "rawConfig": "",
            "clientCertificate": "",
            "clientKey": "",
        }
    ]


def outputs_of(typ: str, _: str) -> dict[str, Any]:
    """Return what a resource has beside its inputs."""
    if typ.endswith(":KubernetesCluster"):
        return {"kubeConfigs": kube_configs(), "ipv4Address": "192.175.48.9"}
    return {"host": "10.124.0.69", "mountPath": "/123456/share"} if typ.endswith(":Nfs") else {}


def answers(
    *,
    existing: Mapping[str, Any] | None = None,
    versions: Sequence[str] = VERSIONS,
    sizes: Mapping[str, int] | None = None,
    regions: Sequence[str] = REGIONS,
    vpc: Mapping[str, str] | None = None,
) -> Answers:
    """Return the answers of an account in which there is `existing`, a cluster, or nothing."""

    def cluster(asked: Mapping[str, Any]) -> dict[str, Any]:
        if existing is None:
            raise AnswerRefusedError(f"Unable to find cluster with name: {asked['name']}")
        return {"version": VERSIONS[0], "ha": False, "kubeConfigs": kube_configs(NEW_TOKEN), **existing}

    def every_size(_: Mapping[str, Any]) -> dict[str, Any]:
        offered = SIZES if sizes is None else sizes
        return {
            "sizes": [
                {"slug": slug, "memory": memory, "available": True, "regions": list(regions)}
                for slug, memory in offered.items()
            ]
        }

    return {
        CLUSTER: cluster,
        "digitalocean:index/getSizes:getSizes": every_size,
        "digitalocean:index/getKubernetesVersions:getKubernetesVersions": lambda _: {"validVersions": list(versions)},
        "digitalocean:index/getVpc:getVpc": lambda asked: {
            "id": asked["id"],
            "region": "fra1",
            "ipRange": "10.124.0.0/20",
            **(vpc or {}),
        },
    }
