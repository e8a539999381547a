"""What Google answers on the recording engine."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

PROJECT = "my-project-1"
ENDPOINT = "gke-0123456789.europe-west3-a.gke.goog"
VERSIONS = ("1.37.1-gke.1014000", "1.36.3-gke.1767000", "1.36.2-gke.1100000", "1.35.8-gke.1225000")
NEWEST = {"RAPID": "1.37.1-gke.1014000", "REGULAR": "1.36.3-gke.1767000", "STABLE": "1.35.8-gke.1225000"}
RANGES = {"team-pods": "10.4.0.0/16", "team-services": "10.8.0.0/20"}

Answers = Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]


def outputs_of(typ: str, name: str) -> dict[str, Any]:
    """Return what a resource has beside its inputs."""
    if typ.endswith(":Cluster"):
        return {
            "controlPlaneEndpointsConfig": {"dnsEndpointConfig": {"endpoint": ENDPOINT, "allowExternalTraffic": True}}
        }
    if typ.endswith(":Account"):
        email = f"{name}@{PROJECT}.iam.gserviceaccount.com"
        return {"email": email, "member": f"serviceAccount:{email}"}
    return {}


def answers(
    *,
    versions: Sequence[str] = VERSIONS,
    newest: Mapping[str, str] = NEWEST,
    nodes: str = "10.0.0.0/22",
    network: str = "team",
    ranges: Mapping[str, str] = RANGES,
) -> Answers:
    """Return Google's answers, with a subnetwork in a network of somebody's."""
    link = "https://www.googleapis.com/compute/v1"
    return {
        "gcp:container/getEngineVersions:getEngineVersions": lambda _: {
            "validMasterVersions": list(versions),
            "releaseChannelLatestVersion": dict(newest),
        },
        "gcp:compute/getSubnetwork:getSubnetwork": lambda asked: {
            "name": asked["name"],
            "network": f"{link}/projects/{PROJECT}/global/networks/{network}",
            "ipCidrRange": nodes,
            "secondaryIpRanges": [{"rangeName": name, "ipCidrRange": text} for name, text in ranges.items()],
        },
    }
