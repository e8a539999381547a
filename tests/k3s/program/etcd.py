"""The store: etcd's command line, and its members and keys over the JSON that it speaks beside gRPC."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.k3s.program.http_client import Client, verifying
from tests.k3s.program.paths import TOOLS, Layout

CLIENT_PORT = 2379
PEER_PORT = 2380


@dataclass(frozen=True)
class Member:
    """One member as the others know it."""

    id: str
    name: str
    """Empty until it has started."""
    peer: str
    client: str
    learns: bool

    @property
    def node(self) -> str:
        """The node that it runs on; k3s adds a random suffix to the node's name."""
        return self.name.rpartition("-")[0]


def command(
    layout: Layout, name: str, address: str, others: Sequence[Member], arguments: Sequence[str], *, joins: bool
) -> list[str]:
    """Return the command line of a member that other servers reach; without fsync, as every store of the tests."""
    tls = layout.etcd_tls
    cluster = [f"{name}=https://{address}:{PEER_PORT}", *(f"{other.name}={other.peer}" for other in others)]
    return [
        f"{TOOLS}/etcd",
        f"--name={name}",
        f"--data-dir={layout.etcd}",
        f"--listen-client-urls=https://127.0.0.1:{CLIENT_PORT},https://{address}:{CLIENT_PORT}",
        f"--advertise-client-urls=https://{address}:{CLIENT_PORT}",
        f"--listen-peer-urls=https://127.0.0.1:{PEER_PORT},https://{address}:{PEER_PORT}",
        f"--initial-advertise-peer-urls=https://{address}:{PEER_PORT}",
        f"--initial-cluster={','.join(cluster)}",
        f"--initial-cluster-state={'existing' if joins else 'new'}",
        *_security(tls),
        f"--peer-trusted-ca-file={tls}/peer-ca.crt",
        f"--peer-cert-file={tls}/peer-server-client.crt",
        f"--peer-key-file={tls}/peer-server-client.key",
        "--peer-client-cert-auth",
        *_pace(),
        *(f"--{argument}" for argument in arguments),
    ]


def alone(layout: Layout, arguments: Sequence[str]) -> list[str]:
    """Return the command line of the store of a server without embedded etcd: nobody else reaches it."""
    return [
        f"{TOOLS}/etcd",
        "--name=alone",
        f"--data-dir={layout.alone}",
        f"--listen-client-urls=https://127.0.0.1:{CLIENT_PORT}",
        f"--advertise-client-urls=https://127.0.0.1:{CLIENT_PORT}",
        f"--listen-peer-urls=http://127.0.0.1:{PEER_PORT}",
        f"--initial-advertise-peer-urls=http://127.0.0.1:{PEER_PORT}",
        f"--initial-cluster=alone=http://127.0.0.1:{PEER_PORT}",
        *_security(layout.etcd_tls),
        *_pace(),
        *(f"--{argument}" for argument in arguments),
    ]


def _security(tls: Path) -> list[str]:
    return [
        f"--trusted-ca-file={tls}/server-ca.crt",
        f"--cert-file={tls}/server-client.crt",
        f"--key-file={tls}/server-client.key",
        "--client-cert-auth",
    ]


def _pace() -> list[str]:
    # Several of them share the two cores of a CI machine: a busy second must not be an election.
    return ["--heartbeat-interval=300", "--election-timeout=3000", "--unsafe-no-fsync", "--log-level=warn"]


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


class Etcd:
    """One member, called as a client of the cluster."""

    def __init__(self, layout: Layout, base: str = f"https://127.0.0.1:{CLIENT_PORT}") -> None:
        """Read the client's certificate; OSError when it is missing."""
        context = verifying(layout.etcd_tls / "server-ca.crt", layout.etcd_tls / "client")
        self._client = Client(base, context)

    def unhealthy(self) -> str | None:
        """Return what is wrong with the member; None when it serves."""
        try:
            answer = self._client.json("GET", "/health")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is wrong
            return str(error)
        return None if answer["health"] == "true" else str(answer)

    def members(self) -> list[Member]:
        """Return all members, learners too."""
        answer = self._client.json("POST", "/v3/cluster/member/list", {})
        return [_member(entry) for entry in answer["members"]]

    def add(self, peer: str) -> Member:
        """Add a member that learns first; Answer says why it is refused, such as another one that learns."""
        body = {"peerURLs": [peer], "isLearner": True}
        return _member(self._client.json("POST", "/v3/cluster/member/add", body)["member"])

    def promote(self, member: str) -> None:
        """Let a member vote; Answer while it still lags behind."""
        self._client.json("POST", "/v3/cluster/member/promote", {"ID": member})

    def remove(self, member: str) -> None:
        """Remove a member for good."""
        self._client.json("POST", "/v3/cluster/member/remove", {"ID": member})

    def get(self, prefix: str) -> dict[str, bytes]:
        """Return every key that begins with `prefix`."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        answer = self._client.json("POST", "/v3/kv/range", {"key": _encoded(prefix), "range_end": _encoded(end)})
        return {
            base64.b64decode(entry["key"]).decode(): base64.b64decode(entry.get("value", ""))
            for entry in answer.get("kvs", [])
        }

    def put(self, key: str, value: bytes) -> None:
        """Set a key."""
        body = {"key": _encoded(key), "value": base64.b64encode(value).decode()}
        self._client.json("POST", "/v3/kv/put", body)

    def put_all(self, pairs: Sequence[tuple[bytes, bytes]]) -> None:
        """Set several keys at once, at most 128."""
        encoded = [(base64.b64encode(key).decode(), base64.b64encode(value).decode()) for key, value in pairs]
        puts = [{"requestPut": {"key": key, "value": value}} for key, value in encoded]
        self._client.json("POST", "/v3/kv/txn", {"success": puts})

    def delete(self, key: str) -> None:
        """Remove a key."""
        self._client.json("POST", "/v3/kv/deleterange", {"key": _encoded(key)})

    def snapshot(self) -> Iterator[bytes]:
        """Yield the parts of a snapshot: the database and its checksum at the end."""
        for line in self._client.lines("POST", "/v3/maintenance/snapshot", {}):
            yield base64.b64decode(line["result"].get("blob", ""))


def _member(entry: dict[str, Any]) -> Member:
    return Member(
        id=entry["ID"],
        name=entry.get("name", ""),
        peer=entry["peerURLs"][0],
        client=next(iter(entry.get("clientURLs", [])), ""),
        learns=entry.get("isLearner", False),
    )
