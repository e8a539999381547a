"""`k3s server --cluster-reset`: one server goes on alone, with its own data or with those of a snapshot."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.k3s.program import bolt, bootstrap, etcd, journal, membership, s3
from tests.k3s.program.children import Children
from tests.k3s.program.configuration import Values
from tests.k3s.program.etcd import Etcd
from tests.k3s.program.http_client import digest
from tests.k3s.program.node_run import address_of
from tests.k3s.program.paths import write
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.server_files import ServerFiles, serving_names
from tests.k3s.program.server_token import ServerToken
from tests.k3s.program.settings import node_settings, server_settings
from tests.k3s.program.waiting import until

STORE_SECONDS = 60.0
BATCH = 100
"""Keys that are put at once; etcd takes 128."""
FLAG = "reset-flag"
"""File beside the store: a second reset in a row is refused, the next start removes it."""


async def reset(values: Values, children: Children) -> None:
    """Reset, and restore when a snapshot is named; Refusal when it cannot be done. Nothing runs afterwards."""
    node, settings = node_settings(values), server_settings(values)
    layout, files = node.layout, ServerFiles(node.layout)
    flag = layout.etcd.with_name(FLAG)
    if flag.exists():
        raise Refusal(
            f"cluster-reset was successfully performed, please remove the cluster-reset flag and start k3s normally; "
            f"to reset again first delete {flag}"
        )
    token = ServerToken(layout, node.token, settings.agent_token)
    kept: dict[bytes, bytes] = {}
    if settings.restore:
        if token.wanted is None:
            raise Refusal("token: is required to restore a snapshot: it was made with the server token of its time")
        snapshot = await asyncio.to_thread(_snapshot, settings.restore, settings.s3, settings.snapshots)
        kept = await asyncio.to_thread(bolt.latest, snapshot)
        sealed = kept.get((bootstrap.PREFIX + digest(token.wanted.password)).encode())
        if sealed is None:
            raise Refusal("bootstrap data already found and encrypted with different token")
        files.unpack(bootstrap.unseal(sealed, token.wanted.password))
        if layout.etcd.exists():
            layout.etcd.rename(layout.etcd.with_name(f"etcd-old-{snapshot.name}"))
    elif not membership.has_data(layout):
        raise Refusal("cluster-reset: this server has no embedded etcd")
    files.make(settings.secrets_provider)
    token.settle(files.server_ca)
    address = address_of(node)
    files.issue([*serving_names(settings.cluster.domain), address], node.name)
    name = membership.member_name(layout, node.name)
    command = etcd.command(layout, name, address, [], [], joins=False)
    await children.start("etcd", [*command, *([] if kept else ["--force-new-cluster"])])
    store = Etcd(layout)
    await until("etcd", STORE_SECONDS, store.unhealthy, children)
    await asyncio.to_thread(_fill, store, kept)
    await children.end()
    write(flag, "")
    journal.info(
        "Managed etcd cluster membership has been reset, restart without --cluster-reset flag now. "
        "Backup and delete ${datadir}/server/db on each peer etcd server and rejoin the nodes"
    )


def _snapshot(named: str, remote: Mapping[str, Any], folder: Path) -> Path:
    """Return the file of a snapshot, fetched first when it lies in S3."""
    if remote["enabled"]:
        if remote.keys() == {"enabled", "config-secret"}:
            raise Refusal("etcd-s3-config-secret: no API server runs during a reset; use the etcd-s3 flags")
        return s3.Bucket.of(remote).fetch(named, folder)
    if not Path(named).is_file():
        raise Refusal(f"cluster-reset-restore-path: there is no file {named}")
    return Path(named)


def _fill(store: Etcd, kept: dict[bytes, bytes]) -> None:
    pairs = list(kept.items())
    for start in range(0, len(pairs), BATCH):
        store.put_all(pairs[start : start + BATCH])
