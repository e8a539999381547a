"""A server's place among the others: joining etcd, and leaving it when its Node is deleted."""

import secrets
from collections.abc import Mapping
from typing import Any

from tests.k3s.program import journal
from tests.k3s.program.etcd import PEER_PORT, Etcd, Member
from tests.k3s.program.http_client import Answer
from tests.k3s.program.kube import Kube
from tests.k3s.program.paths import Layout, write
from tests.k3s.program.refusal import Refusal

FINALIZER = "wrangler.cattle.io/managed-etcd-controller"
MEMBER_NOTE = "etcd.k3s.cattle.io/node-name"
ADDRESS_NOTE = "etcd.k3s.cattle.io/node-address"


def has_data(layout: Layout) -> bool:
    """Whether this server is a member with data of its own."""
    return (layout.etcd / "member").is_dir()


def member_name(layout: Layout, node: str) -> str:
    """Return the name of this server's member, made up once."""
    file = layout.etcd / "name"
    if not file.exists():
        layout.etcd.mkdir(parents=True, exist_ok=True, mode=0o700)
        layout.etcd.chmod(0o700)
        write(file, f"{node}-{secrets.token_hex(4)}")
    return file.read_text(encoding="utf-8").strip()


def enter(layout: Layout, node: str, address: str, members: list[Member]) -> list[Member]:
    """Make this server a member that learns, unless it is one; return the others for its first start.

    Refusal: another member has the node's name. Answer or OSError: it cannot be now, such as while another one learns.
    """
    peer = f"https://{address}:{PEER_PORT}"
    if any(member.node == node and member.peer != peer for member in members):
        raise Refusal("duplicate node name found, please use a unique name for this node")
    mine = [member for member in members if member.peer == peer]
    if mine and mine[0].name:
        raise Refusal(
            f"etcd has the member {mine[0].name} at this address already, and its data is not here: "
            f"delete its Node first, `kubectl delete node {mine[0].node}`"
        )
    if not mine:
        _any(layout, members).add(peer)
    return [member for member in members if member.peer != peer]


def promote(layout: Layout, address: str, others: list[Member]) -> str | None:
    """Let this server's member vote; return why it does not yet."""
    peer = f"https://{address}:{PEER_PORT}"
    try:
        far = _any(layout, others)
        mine = next((member for member in far.members() if member.peer == peer), None)
        if mine is None:
            raise Refusal("this server's member has been removed from etcd")
        if mine.learns:
            far.promote(mine.id)
    except (OSError, Answer) as error:
        return str(error)
    return None


def _any(layout: Layout, members: list[Member]) -> Etcd:
    """Return the first member that answers; OSError when none does."""
    reasons = []
    for member in members:
        if member.client and not member.learns:
            candidate = Etcd(layout, member.client)
            reason = candidate.unhealthy()
            if reason is None:
                return candidate
            reasons.append(f"{member.client}: {reason}")
    raise ConnectionError(f"no member of etcd answers: {'; '.join(reasons)}")


def notes(layout: Layout, node: str, address: str) -> dict[str, str]:
    """Return the annotations by which other servers know this one's member."""
    return {MEMBER_NOTE: member_name(layout, node), ADDRESS_NOTE: address}


def farewell(store: Etcd, api: Kube, mine: str, node: Mapping[str, Any]) -> None:
    """Remove the member of a server whose Node is being deleted, and let the Node go; every other server may do it."""
    metadata = node["metadata"]
    if "deletionTimestamp" not in metadata or FINALIZER not in metadata.get("finalizers", []):
        return
    members = store.members()
    if metadata["name"] == mine and len(members) > 1:
        return
    name = metadata.get("annotations", {}).get(MEMBER_NOTE, "")
    for member in members:
        if member.name == name and len(members) > 1:
            store.remove(member.id)
            journal.info(f"Removed {member.name} from etcd, its node was deleted")
    kept = [entry for entry in metadata["finalizers"] if entry != FINALIZER]
    api.patch(f"/api/v1/nodes/{metadata['name']}", {"metadata": {"finalizers": kept or None}})
