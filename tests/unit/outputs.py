"""What resources answer on the recording engine, where a program goes on with it."""

import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import yaml

from tests.unit.clouds import aws, digitalocean, gke

AUTHORITY = "ab" * 32
"""Digest of an invented cluster's authority."""
KEY = "invented-key-of-the-administrator"
KUBECONFIG = yaml.safe_dump(
    {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {
                "name": "default",
                "cluster": {"certificate-authority-data": "Q0E=", "server": "https://127.0.0.1:6443"},
            }
        ],
        "users": [{"name": "default", "user": {"client-certificate-data": "Q0VSVA==", "client-key-data": KEY}}],
        "contexts": [{"name": "default", "context": {"cluster": "default", "user": "default"}}],
        "current-context": "default",
    }
)
"""As k3s writes it on a server, with an invented key."""


HOST_PUBLIC_KEY = f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{'H' * 43}"
HOST_PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\ninvented-host-key\n-----END OPENSSH PRIVATE KEY-----\n"
PUBLIC = "192.175.48"
"""Where invented servers have their public addresses."""
API_SERVER = f"{PUBLIC}.9"
"""Where the `kubernetes` Service of an invented managed cluster leads to."""


CLOUDS = {"aws": aws, "digitalocean": digitalocean, "gcp": gke}
"""Package to the module that answers for it."""


def id_of(typ: str, name: str) -> str:
    """Return a resource's id; Hetzner's are numbers, and a subnet's begins with its network's."""
    if not typ.startswith("hcloud:"):
        return f"{name}-id"
    number = zlib.crc32(name.encode())
    return f"{number}-10.0.1.0/24" if typ.endswith(":NetworkSubnet") else str(number)


def outputs_of(typ: str, name: str) -> dict[str, Any]:
    """Return what a resource has beside its inputs."""
    if typ.endswith(":PrimaryIp"):
        role, number = name.removesuffix("-identity-address").rsplit("-", 2)[1:]
        return {"ipAddress": f"{PUBLIC}.{int(number) + (100 if role == 'server' else 150)}"}
    if typ == "kubernetes:discovery.k8s.io/v1:EndpointSlice":
        return {"endpoints": [{"addresses": [API_SERVER]}], "ports": [{"name": "https", "port": 443}]}
    if (cloud := CLOUDS.get(typ.partition(":")[0])) is not None:
        outputs: dict[str, Any] = cloud.outputs_of(typ, name)
        return outputs
    if typ.startswith("tls:"):
        return {"privateKeyOpenssh": HOST_PRIVATE_KEY, "publicKeyOpenssh": f"{HOST_PUBLIC_KEY}\n"}
    if typ == "command:remote:Command":
        said = {"kubeconfig": KUBECONFIG, "authority": AUTHORITY}
        return {"stdout": said.get(name.rpartition("-")[2], ""), "stderr": ""}
    return {}


Answers = Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]
"""Token of a function of a provider to what it says to its arguments."""


def hetzner(*sold_out: str, servers: Mapping[str, str] = MappingProxyType({}), ends: str = "") -> Answers:
    """Return Hetzner's answers: every type in all of Europe, but for what is sold out, as `cx43@fsn1`.

    `servers` are the names and types of those that there are.
    """

    def server_type(asked: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "name": asked["name"],
            "cores": {"cx33": 4}.get(str(asked["name"]), 8),
            "memory": {"cx33": 8.0}.get(str(asked["name"]), 16.0),
            "locations": [
                {
                    "id": number,
                    "name": place,
                    "available": f"{asked['name']}@{place}" not in sold_out,
                    "recommended": True,
                    "isDeprecated": bool(ends),
                    "deprecationAnnounced": "",
                    "unavailableAfter": ends,
                }
                for number, place in enumerate(("fsn1", "nbg1", "hel1"), start=1)
            ],
        }

    def existing(_: Mapping[str, Any]) -> dict[str, Any]:
        return {"servers": [{"name": name, "serverType": kind} for name, kind in servers.items()]}

    return {
        "hcloud:index/getServerType:getServerType": server_type,
        "hcloud:index/getServers:getServers": existing,
    }
