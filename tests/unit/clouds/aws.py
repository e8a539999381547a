"""What AWS answers on the recording engine."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

ACCOUNT = "111122223333"
DEPLOYER = f"arn:aws:iam::{ACCOUNT}:role/rakazo-deploy"
ZONES = ("eu-central-1a", "eu-central-1b", "eu-central-1c")
VERSIONS = {
    "1.37": "STANDARD_SUPPORT",
    "1.36": "STANDARD_SUPPORT",
    "1.35": "STANDARD_SUPPORT",
    "1.33": "EXTENDED_SUPPORT",
}
TYPES = ("m7i.xlarge", "m7i.2xlarge", "m8i.2xlarge", "c7i.4xlarge", "m5.metal")
ENDPOINT = "https://0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com"

Answers = Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]


def outputs_of(typ: str, name: str) -> dict[str, Any]:
    """Return what a resource has beside its inputs."""
    module, kind = typ.removeprefix("aws:").split("/")[0], typ.rpartition(":")[2]
    made: dict[str, dict[str, Any]] = {
        "Cluster": {"endpoint": ENDPOINT, "certificateAuthority": {"data": "Q0E="}},
        "LaunchTemplate": {"latestVersion": 1},
        "Eip": {"allocationId": f"{name}-allocation"},
    }
    return {"arn": f"arn:aws:{module}::{ACCOUNT}:{name}", **made.get(kind, {})}


def subnet(zone: str, text: str, **changes: Any) -> dict[str, Any]:
    """Return a subnet that exists and can be used."""
    tags = {"kubernetes.io/role/internal-elb": "1"}
    found = {"availabilityZone": zone, "vpcId": "vpc-0123456789abcdef0", "cidrBlock": text, "tags": tags}
    return {**found, "availableIpAddressCount": 4000, **changes}


def vpc(*ranges: str, **changes: Any) -> dict[str, Any]:
    """Return a VPC that exists and can be used."""
    associations = [{"associationId": "a", "cidrBlock": text, "state": "associated"} for text in ranges]
    return {"cidrBlockAssociations": associations, "enableDnsSupport": True, "enableDnsHostnames": True, **changes}


def answers(
    *,
    caller: str = DEPLOYER,
    zones: Sequence[str] = ZONES,
    versions: Mapping[str, str] = VERSIONS,
    types: Sequence[str] = TYPES,
    sold_in: Sequence[str] = ZONES,
    features: Sequence[str] = ("nested-virtualization",),
    architectures: Sequence[str] = ("x86_64",),
    hypervisor: str = "nitro",
    network: Mapping[str, Any] | None = None,
    subnets: Mapping[str, Mapping[str, Any]] | None = None,
) -> Answers:
    """Return the answers of an account in which everything can be had, but for the changes."""
    pairs = [(name, zone) for name in types for zone in sold_in]
    return {
        "aws:index/getCallerIdentity:getCallerIdentity": lambda _: {"accountId": ACCOUNT, "arn": "a-session"},
        "aws:iam/getSessionContext:getSessionContext": lambda _: {"issuerArn": caller},
        "aws:index/getAvailabilityZones:getAvailabilityZones": lambda _: {"names": list(zones)},
        "aws:eks/getClusterVersions:getClusterVersions": lambda _: {
            "clusterVersions": [{"clusterVersion": each, "versionStatus": status} for each, status in versions.items()]
        },
        "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": lambda _: {
            "instanceTypes": [name for name, _ in pairs],
            "locations": [zone for _, zone in pairs],
        },
        "aws:ec2/getInstanceType:getInstanceType": lambda asked: {
            "instanceType": asked["instanceType"],
            "supportedArchitectures": list(architectures),
            "hypervisor": hypervisor,
            "supportedCpuFeatures": list(features),
        },
        "aws:ec2/getVpc:getVpc": lambda _: dict(network or {}),
        "aws:ec2/getSubnet:getSubnet": lambda asked: dict((subnets or {})[asked["id"]]),
    }
