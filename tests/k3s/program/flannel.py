"""The pods' network as flannel makes it: a bridge on each node, a VXLAN between them, masquerading to the outside."""

import json
from collections.abc import Mapping
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

from tests.k3s.program import journal
from tests.k3s.program.children import run
from tests.k3s.program.links import Link
from tests.k3s.program.paths import write

DEVICE = "flannel.1"
IDENTIFIER = 1
PORT = 8472
"""UDP; what a firewall between nodes has to let through."""
OVERHEAD = 50
"""Bytes that VXLAN adds to a packet."""
PREFIX = "flannel.alpha.coreos.com"
SETTINGS = {"net/ipv4/ip_forward": "1", "net/bridge/bridge-nf-call-iptables": "1"}
"""Below /proc/sys; with the second, policies hold between pods of one node too."""

MASQUERADE = """\
*nat
:FLANNEL-POSTRTG - [0:0]
-A FLANNEL-POSTRTG -m mark --mark 0x4000/0x4000 -j RETURN
-A FLANNEL-POSTRTG -d {pods} -s {pods} -j RETURN
-A FLANNEL-POSTRTG ! -d 224.0.0.0/4 -s {pods} -j MASQUERADE --random-fully
-A FLANNEL-POSTRTG ! -s {pods} -d {pods} -j MASQUERADE --random-fully
COMMIT
*filter
:FLANNEL-FWD - [0:0]
-A FLANNEL-FWD -s {pods} -j ACCEPT
-A FLANNEL-FWD -d {pods} -j ACCEPT
COMMIT
"""
JUMPS = (("nat", "POSTROUTING", "FLANNEL-POSTRTG"), ("filter", "FORWARD", "FLANNEL-FWD"))


class Flannel:
    """One node's part; `backend` is vxlan or host-gw."""

    def __init__(self, node: str, backend: str, link: Link, cluster_pods: str) -> None:
        """Describe it; nothing is made."""
        self._node = node
        self._backend = backend
        self._link = link
        self._cluster_pods = cluster_pods
        self._ways: dict[str, tuple[str, ...]] = {}

    @property
    def _mtu(self) -> int:
        return self._link.mtu - (OVERHEAD if self._backend == "vxlan" else 0)

    def prepare(self, pods: str, conflist: Path) -> dict[str, str]:
        """Make the node's device and rules, write its CNI configuration, and return the annotations for its Node."""
        for name, value in SETTINGS.items():
            place = Path("/proc/sys", name)
            if place.exists():
                place.write_text(value)
            else:
                journal.warn(f"{place} is not there: the module br_netfilter is not loaded")
        run(["iptables-restore", "--noflush", "--wait=10"], stdin=MASQUERADE.format(pods=self._cluster_pods))
        for table, chain, target in JUMPS:
            self._jump(table, chain, target)
        backend = {"VNI": IDENTIFIER, "VtepMAC": self._device(pods)} if self._backend == "vxlan" else None
        write(conflist, self._conflist(pods), 0o644)
        return {
            f"{PREFIX}/backend-data": json.dumps(backend),
            f"{PREFIX}/backend-type": self._backend,
            f"{PREFIX}/kube-subnet-manager": "true",
            f"{PREFIX}/public-ip": self._link.address,
        }

    def _jump(self, table: str, chain: str, target: str) -> None:
        script = f'iptables -w 10 -t {table} -C {chain} -j {target} 2>/dev/null || iptables -w 10 -t {table} "$@"'
        run(["sh", "-ec", script, "sh", "-A", chain, "-j", target])

    def _device(self, pods: str) -> str:
        """Make the VXLAN device unless the right one is there, and return its hardware address."""
        details = [each for each in _links() if each["ifname"] == DEVICE]
        local = details[0].get("linkinfo", {}).get("info_data", {}).get("local") if details else None
        if details and local != self._link.address:
            run(["ip", "link", "delete", DEVICE])
        if local != self._link.address:
            kind = ["type", "vxlan", "id", str(IDENTIFIER), "dev", self._link.name, "local", self._link.address]
            run(["ip", "link", "add", DEVICE, *kind, "dstport", str(PORT), "nolearning"])
        run(["ip", "link", "set", DEVICE, "mtu", str(self._mtu), "up"])
        run(["ip", "address", "replace", f"{_gate(pods)}/32", "dev", DEVICE])
        return str(next(each["address"] for each in _links() if each["ifname"] == DEVICE))

    def _conflist(self, pods: str) -> str:
        bridge: dict[str, Any] = {
            "type": "bridge",
            "bridge": "cni0",
            "mtu": self._mtu,
            "hairpinMode": True,
            "forceAddress": True,
            "isDefaultGateway": True,
            "ipam": {
                "type": "host-local",
                # Forgotten with the machine's memory: after a reboot no pod holds an address.
                "dataDir": "/run/cni/networks",
                "ranges": [[{"subnet": pods}]],
                "routes": [{"dst": self._cluster_pods}],
            },
        }
        portmap = {"type": "portmap", "capabilities": {"portMappings": True}}
        return json.dumps({"name": "cbr0", "cniVersion": "1.0.0", "plugins": [bridge, portmap]}, indent=2)

    def meet(self, node: Mapping[str, Any], *, gone: bool) -> None:
        """Lay the way to another node's pods, or take it away."""
        name, pods = node["metadata"]["name"], node["spec"].get("podCIDR")
        if name == self._node or not pods:
            return
        notes = node["metadata"].get("annotations", {})
        far = notes.get(f"{PREFIX}/public-ip", "")
        data = json.loads(notes.get(f"{PREFIX}/backend-data", "null")) or {}
        way = (pods, far, data.get("VtepMAC", ""))
        if gone:
            if self._ways.pop(name, None):
                run(["ip", "route", "flush", "exact", pods])
        elif far and way != self._ways.get(name):
            self._lay(*way)
            self._ways[name] = way

    def _lay(self, pods: str, far: str, hardware: str) -> None:
        if self._backend == "host-gw":
            run(["ip", "route", "replace", pods, "via", far])
            return
        gate = _gate(pods)
        run(["ip", "neighbour", "replace", gate, "dev", DEVICE, "lladdr", hardware, "nud", "permanent"])
        run(["bridge", "fdb", "replace", hardware, "dev", DEVICE, "dst", far, "self", "permanent"])
        run(["ip", "route", "replace", pods, "via", gate, "dev", DEVICE, "onlink"])


def _gate(pods: str) -> str:
    return str(IPv4Network(pods).network_address)


def _links() -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = json.loads(run(["ip", "-json", "-details", "link", "show"]))
    return content
