"""The node part of a server and an agent: from credentials to a node that is Ready."""

import asyncio
import datetime as dt
import shutil
import threading
from collections.abc import Callable, Mapping
from typing import Any

from tests.k3s.program import journal
from tests.k3s.program.children import Children, run
from tests.k3s.program.flannel import Flannel
from tests.k3s.program.http_client import Answer
from tests.k3s.program.kube import Kube
from tests.k3s.program.links import Link, default_link, named_link, owned
from tests.k3s.program.node_programs import Node
from tests.k3s.program.paths import write
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.release import Release
from tests.k3s.program.runtime import Runtime
from tests.k3s.program.settings import NodeSettings
from tests.k3s.program.waiting import persist, until

REGISTRATION_SECONDS = 120.0
READY_SECONDS = 120.0
NODES = "/api/v1/nodes"
VERSION_NOTE = "k3s.io/stand-in-release"
"""Annotation of a Node with the release that it is to be seen as; `addons` has the policy that makes it so."""
OUTSIDE_NOTE = "k3s.io/external-ip"
"""Annotation of a Node with the address by which it is known outside, as k3s sets it."""
API_SERVICE = "default/kubernetes:https cluster IP"
"""What kube-proxy writes beside its way to the API's Service."""
Event = Callable[[str, Mapping[str, Any]], None]


def address_of(settings: NodeSettings) -> str:
    """Return the node's address; Refusal when it is not (yet) one of this machine's."""
    if not settings.address:
        return default_link().address
    if not owned(settings.address):
        raise Refusal(f"node-ip: {settings.address} is no address of this machine's network interfaces")
    return settings.address


def without_services() -> str | None:
    """Return why kube-router cannot start yet: it writes back what it read, and would lose kube-proxy's first chains.

    kube-proxy would then leave the node without any way to a Service.
    """
    written = run(["iptables-save", "--table", "nat"])
    return None if API_SERVICE in written else "kube-proxy has made no way to the API's Service"


class NodeRun:
    """One start of a node."""

    def __init__(self, node: Node, release: Release, api: Kube, children: Children) -> None:
        """Prepare; `api` speaks as k3s' controller on this node."""
        self._node = node
        self._release = release
        self._api = api
        self._children = children
        self._since = dt.datetime.now(dt.UTC).replace(microsecond=0)

    async def start(self, runtime: Runtime, node_ports: str, also: Event) -> None:
        """Start everything and return when the node is Ready; `also` is told of every change of a Node."""
        node, layout, cluster = self._node, self._node.layout, self._node.cluster
        link = self._flannel_link()
        write(layout.kubelet_config, node.kubelet_config(), 0o644)
        await runtime.serving()
        await self._children.start("kubelet", node.kubelet(), extra={"GOGC": "200"})
        if cluster.has_kube_proxy:
            await self._children.start("kube-proxy", node.kube_proxy())
        await until("registration of the node", REGISTRATION_SECONDS, self._unregistered, self._children)
        outside = node.settings.external_addresses
        notes: dict[str, str | None] = {VERSION_NOTE: str(self._release), OUTSIDE_NOTE: outside[0] if outside else None}
        flannel = None
        # Until then the node has no network, so no pod comes that would not find its image.
        await runtime.furnished()
        if link is not None:
            # In a thread, as every call of the API: on an agent it comes back to this process' balancer.
            pods = (await persist("the node's range", self._me, self._children))["spec"]["podCIDR"]
            flannel = Flannel(node.settings.name, cluster.flannel_backend, link, cluster.pods)
            notes |= await asyncio.to_thread(flannel.prepare, pods, layout.cni / "10-flannel.conflist")
        change = {"metadata": {"annotations": notes}}
        await persist("the node's annotations", lambda: self._api.patch(self._path, change), self._children)
        version = {"status": {"nodeInfo": {"kubeletVersion": str(self._release)}}}
        await persist("the node's version", lambda: self._api.patch(f"{self._path}/status", version), self._children)
        threading.Thread(target=self._watch, args=(flannel, also), name="nodes", daemon=True).start()
        await self._enforce(node_ports)
        if link is not None:
            await until("the node's readiness", READY_SECONDS, self._unready, self._children)

    async def _enforce(self, node_ports: str) -> None:
        if not self._node.cluster.enforces_network_policies:
            journal.info("Skipping network policy controller start, disabled")
        elif shutil.which("ipset") is None:
            # As k3s: nothing enforces policies, and only this line says so.
            journal.warn("Skipping network policy controller start, ipset unavailable")
        else:
            if self._node.cluster.has_kube_proxy:
                await until("kube-proxy's rules", READY_SECONDS, without_services, self._children)
            await self._children.start("kube-router", self._node.kube_router(node_ports))

    def _flannel_link(self) -> Link | None:
        if self._node.cluster.flannel_backend == "none":
            return None
        name = self._node.settings.flannel_interface
        return named_link(name) if name else default_link()

    @property
    def _path(self) -> str:
        return f"{NODES}/{self._node.settings.name}"

    def _me(self) -> Any:
        return self._api.get(self._path)

    def _unregistered(self) -> str | None:
        try:
            me = self._me()
        except (OSError, Answer) as error:
            return str(error)
        if self._node.cluster.flannel_backend != "none" and not me["spec"].get("podCIDR"):
            return "it has no range for its pods yet"
        return None

    def _unready(self) -> str | None:
        try:
            conditions = self._me()["status"].get("conditions", [])
        except (OSError, Answer) as error:
            return str(error)
        ready = next((condition for condition in conditions if condition["type"] == "Ready"), None)
        if ready is None or dt.datetime.fromisoformat(ready["lastHeartbeatTime"]) < self._since:
            return "it has not reported since its start"
        return None if ready["status"] == "True" else str(ready["message"])

    def _watch(self, flannel: Flannel | None, also: Event) -> None:
        for kind, node in self._api.watch(NODES, self._children.failed.done):
            try:
                if flannel is not None:
                    flannel.meet(node, gone=kind == "DELETED")
                also(kind, node)
            except (Refusal, OSError, Answer) as error:
                journal.warn(f"node {node['metadata']['name']}: {error}")
