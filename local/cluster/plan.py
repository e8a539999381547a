"""The whole cluster as data: which machine has which files and runs which programs, in their order."""

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from local.cluster import addresses, control_plane, node_programs
from local.cluster.addresses import Node
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

    @property
    def stage(self) -> int:
        """When it can start: AT_ONCE, WITH_API once the API answers, WITH_NODES once the nodes have registered."""
        if self.name == "kube-router":  # it ends at once when its node is unknown
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

    def blueprint(self, machine: str) -> Blueprint:
        """Return what the machine is made of."""
        files = {"/etc/resolv.conf": RESOLVER, "/etc/hosts": _hosts(), "/etc/hostname": f"{machine}\n"}
        for node in addresses.NODES:
            if node.name == machine:
                return Blueprint(name=machine, folders=node_programs.FOLDERS, files=files | self._node_files(node))
        return Blueprint(name=machine, files=files)

    def _node_files(self, node: Node) -> dict[str, str]:
        config = node_programs.CONFIG
        return {
            f"{config}/containerd.toml": node_programs.containerd_config(self.pause),
            f"{config}/runsc.toml": node_programs.runsc_config(str(self.programs_folder / "runsc")),
            f"{config}/kubelet.yaml": node_programs.kubelet_config(node, f"/{self.group}/{node.name}"),
            f"{config}/kube-proxy.yaml": node_programs.kube_proxy_config(node),
            "/etc/cni/net.d/10-pods.conflist": node_programs.network_config(node),
        }

    def programs(self) -> list[Program]:
        """Return every program in the order of its start; the entrance is last, it needs sockets of the host."""
        python = sys.executable
        listed = [Program(addresses.OUTSIDE, addresses.OUTSIDE, (python, "-m", "local.outside"))]
        system = addresses.SYSTEM.name
        listed += [Program(system, argv[0], tuple(argv)) for argv in (control_plane.etcd(), control_plane.apiserver())]
        listed += [Program(node.name, "containerd", tuple(node_programs.containerd())) for node in addresses.NODES]
        controllers = (control_plane.controller_manager(), control_plane.scheduler())
        listed += [Program(system, argv[0], tuple(argv)) for argv in controllers]
        for node in addresses.NODES:
            agents = (node_programs.kubelet(node), node_programs.kube_proxy(), node_programs.kube_router(node))
            listed += [Program(node.name, argv[0], tuple(argv)) for argv in agents]
        listed.append(Program(system, ENTRANCE, (python, "-m", "local.entrance")))
        return listed

    def machines(self) -> list[str]:
        """Return every machine's name, the outside first: it holds the bridge."""
        return [addresses.OUTSIDE, *(node.name for node in addresses.NODES)]

    def fingerprint(self) -> str:
        """Return a digest of all of it, so that a change is noticed."""
        parts: list[object] = [str(self.programs_folder)]
        parts += [sorted(self.blueprint(machine).files.items()) for machine in self.machines()]
        parts += [(program.machine, program.command) for program in self.programs()]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def facts() -> dict[str, str]:
    """Return the addresses that a stack and the tests must know, as strings by name."""
    nodes: Iterable[tuple[str, str]] = ((f"node_{node.name}", node.address) for node in addresses.NODES)
    return {
        "nodes": addresses.NODE_RANGE,
        "pods": addresses.POD_RANGE,
        "services": addresses.SERVICE_RANGE,
        "api": addresses.API_URL,
        "api_service": addresses.API_SERVICE,
        "dns_service": addresses.DNS_SERVICE,
        "domain": addresses.DOMAIN,
        "gateway": addresses.GATEWAY,
        **dict(nodes),
        **{kind: address for address, kind in addresses.LISTENERS.items()},
    }
