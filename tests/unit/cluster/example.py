"""An invented cluster of three servers and two machines for computers, and smaller ones."""

import dataclasses
from typing import Any

from components.k3s.plan import Node, Plan
from stacks.target.cluster_ranges import ClusterRanges
from stacks.target.gvisor import GvisorSettings
from stacks.target.k3s import K3sSettings

SHA256, SHA512 = "a" * 64, "b" * 128


def node(name: str, number: int, **changes: Any) -> Node:
    made = Node(
        name=name, role="server", pool="system", address=f"203.0.113.{number}", private_address=f"10.0.1.{number}"
    )
    return dataclasses.replace(made, **changes)


SERVERS = [node(f"server-{number}", 10 + number) for number in (1, 2, 3)]
AGENTS = [node(f"computers-{number}", 100 + number, role="agent", pool="computers") for number in (1, 2)]


def plan(*nodes: Node, version: str = "v1.36.2+k3s1", **changes: Any) -> Plan:
    made = Plan(
        stack="test",
        nodes=nodes or (*SERVERS, *AGENTS),
        ranges=ClusterRanges(),
        k3s=K3sSettings(version=version, sha256=SHA256, mirror="https://mirror.test/k3s"),
        gvisor=GvisorSettings(release="20261116.0", sha512=SHA512, mirror="https://mirror.test/gvisor"),
        ssh_port=22,
        admins=["198.51.100.7/32"],
        awaits_cloud_init=False,
    )
    return dataclasses.replace(made, **changes)


ALONE = node("rakazo-1", 11, pool="all")
