"""The whole cluster as data: which machine has which files and runs which programs, in their order."""

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from local.cluster import addresses, control_plane, node_programs, policy_enforcer
from local.cluster.addresses import Node
from local.cluster.family import IPV6, SINGLE_STACK, Families, joined
from local.cluster.layout import CONFIG, PLAIN, Layout
from local.machines.blueprint import Blueprint

if TYPE_CHECKING:
    from collections.abc import Iterable

RESOLVER = f"nameserver {addresses.PUBLIC_DNS}\noptions timeout:1 attempts:3\n"
ENTRANCE = "entrance"
INDEPENDENT = {"etcd", "kube-apiserver", "containerd", ENTRANCE, addresses.OUTSIDE}
AT_ONCE, WITH_API, WITH_NODES = range(3)


@dataclass(frozen=True)
class Program:
    """One program that keeps running on one machine."""

    machine: str
    name: str
    command: tuple[str, ...]
    first_on_path: str = ""
    """A folder of the machine in which programs are found before all others; empty: none."""

    @property
    def stage(self) -> int:
        """When it can start: AT_ONCE, WITH_API once the API answers, WITH_NODES once the nodes have registered."""
        if self.name == policy_enforcer.NAME:  # it ends at once when its node is unknown
            return WITH_NODES
        return AT_ONCE if self.name in INDEPENDENT else WITH_API


def _hosts() -> str:
    lines = ["127.0.0.1 localhost", *(f"{node.address} {node.name}" for node in addresses.NODES)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Plan:
    """Everything that one cluster consists of."""

    programs_folder: Path
    """Holds the built programs."""
    group: str
    """The cluster's control group."""
    pause: str
    """Reference of the image that holds a pod's namespaces."""
    families: Families = SINGLE_STACK
    """What its nodes, pods and Services have addresses in."""
    layout: Layout = PLAIN
    """What its nodes look like to whoever schedules on them."""

    def blueprint(self, machine: str) -> Blueprint:
        """Return what the machine is made of."""
        files = {"/etc/resolv.conf": RESOLVER, "/etc/hosts": _hosts(), "/etc/hostname": f"{machine}\n"}
        for node in addresses.NODES:
            if node.name == machine:
                return Blueprint(
                    name=machine,
                    folders=node_programs.FOLDERS,
                    files=files | self._node_files(node),
                    scripts=policy_enforcer.scripts(self.families),
                )
        return Blueprint(name=machine, files=files)

    def _node_files(self, node: Node) -> dict[str, str]:
        layout = self.layout.of(node.name)
        return {
            layout.containerd_config: node_programs.containerd_config(self.pause, layout),
            f"{CONFIG}/runsc.toml": node_programs.runsc_config(str(self.programs_folder / "runsc")),
            f"{CONFIG}/kubelet.yaml": node_programs.kubelet_config(node, layout, f"/{self.group}/{node.name}"),
            f"{CONFIG}/kube-proxy.yaml": node_programs.kube_proxy_config(node, self.families),
            "/etc/cni/net.d/10-pods.conflist": node_programs.network_config(node, self.families),
        }

    def programs(self) -> list[Program]:
        """Return every program in the order of its start; the entrance is last, it needs sockets of the host."""
        python = sys.executable
        outside = [python, "-m", "local.outside", *(["--dual-stack"] if IPV6 in self.families else [])]
        listed = [Program(addresses.OUTSIDE, addresses.OUTSIDE, tuple(outside))]
        system = addresses.SYSTEM.name
        stores = (control_plane.etcd(), control_plane.apiserver(self.families))
        listed += [Program(system, argv[0], tuple(argv)) for argv in stores]
        listed += [
            Program(node.name, "containerd", tuple(node_programs.containerd(self.layout.of(node.name))))
            for node in addresses.NODES
        ]
        controllers = (control_plane.controller_manager(self.families), control_plane.scheduler())
        listed += [Program(system, argv[0], tuple(argv)) for argv in controllers]
        for node in addresses.NODES:
            kubelet = node_programs.kubelet(node, self.layout.of(node.name), self.families)
            agents = (kubelet, node_programs.kube_proxy())
            listed += [Program(node.name, argv[0], tuple(argv)) for argv in agents]
            enforcer = policy_enforcer.command(node, self.families)
            first = policy_enforcer.first_on_path(self.families)
            listed.append(Program(node.name, policy_enforcer.NAME, tuple(enforcer), first))
        listed.append(Program(system, ENTRANCE, (python, "-m", "local.entrance")))
        return listed

    def machines(self) -> list[str]:
        """Return every machine's name, the outside first: it holds the bridge."""
        return [addresses.OUTSIDE, *(node.name for node in addresses.NODES)]

    def fingerprint(self) -> str:
        """Return a digest of all of it, so that a change is noticed."""
        parts: list[object] = [str(self.programs_folder)]
        for machine in self.machines():
            made = self.blueprint(machine)
            parts += [sorted(made.files.items()), sorted(made.scripts.items())]
        parts += [(program.machine, program.command) for program in self.programs()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def facts(families: Families) -> dict[str, str]:
    """Return the addresses that a stack and the tests must know, as strings by name; two families joined by a comma."""
    nodes: Iterable[tuple[str, str]] = (
        (f"node_{node.name}", joined(family.node_addresses[node.name] for family in families))
        for node in addresses.NODES
    )
    return {
        "nodes": joined(family.nodes for family in families),
        "pods": joined(family.pods for family in families),
        "services": joined(family.services for family in families),
        "api": addresses.API_URL,
        "api_service": addresses.API_SERVICE,
        "dns_service": addresses.DNS_SERVICE,
        "domain": addresses.DOMAIN,
        "gateway": joined(family.gateway for family in families),
        **dict(nodes),
        **{kind: address for family in families for address, kind in family.listeners.items()},
    }
