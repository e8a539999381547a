"""kube-router, which enforces network policies on a node, and what it lacks for IPv6."""

from local.cluster.addresses import Node
from local.cluster.credentials import CREDENTIALS
from local.cluster.family import IPV6, Families, joined
from local.machines.machine import SYSTEM_PATH

NAME = "kube-router"
CORRECTIONS = "/run/corrections"
"""Folder of a node with programs that kube-router finds before the system's."""

RESTORE = f"""\
#!/bin/sh
# kube-router 2.1.0 names IPv6 sets without the prefix under which it makes them. ip6tables-restore then refuses the
# whole batch and kube-router gives up the sync with a line in its log: IPv4 is enforced, IPv6 is open to everybody.
PATH={SYSTEM_PATH}
sed 's/--match-set KUBE-\\(SRC\\|DST\\)-/--match-set inet6:KUBE-\\1-/g' | ip6tables-restore "$@"
"""

IPSET = f"""\
#!/bin/sh
# After each sync kube-router 2.1.0 saves the sets of both families for each family, and with the next sync writes all
# of them back: what one family has just changed is undone by the other's copy. So nothing is saved, and each writes
# its own alone. What that leaves behind is the sets of policies that are gone, which no rule names.
PATH={SYSTEM_PATH}
[ "$1" = save ] || exec ipset "$@"
"""

ALLOWED = "0x10000/0x10000"
"""The mark that kube-router gives to packets which some policy allows."""

NEIGHBOUR_DISCOVERY = ("neighbour-solicitation", "neighbour-advertisement")


def scripts(families: Families) -> dict[str, str]:
    """Return path to content of programs that a node needs for kube-router; none with IPv4 alone."""
    corrected = {"ip6tables-restore": RESTORE, "ipset": IPSET}
    return {f"{CORRECTIONS}/{name}": text for name, text in corrected.items()} if IPV6 in families else {}


def first_on_path(families: Families) -> str:
    """Return the folder that comes first on kube-router's PATH; empty with IPv4 alone."""
    return CORRECTIONS if IPV6 in families else ""


def rules(families: Families) -> list[str]:
    """Return the commands that a node runs once, before kube-router starts; none with IPv4 alone.

    To kube-router 2.1.0 a pod that asks for its gateway's link address is a pod that reaches its node: with any policy
    for egress it would lose IPv6 altogether, also where the policy allows it. So such packets, as far as they are for
    the node itself, carry the mark of what is allowed.
    """
    if IPV6 not in families:
        return []
    return [
        f"ip6tables -w -t mangle -A INPUT -p icmpv6 --icmpv6-type {kind} -j MARK --set-xmark {ALLOWED}"
        for kind in NEIGHBOUR_DISCOVERY
    ]


def command(node: Node, families: Families) -> list[str]:
    """Return the command line, for network policies only; the routes are ours and the services kube-proxy's."""
    return [
        NAME,
        f"--kubeconfig={CREDENTIALS}/kube-router.kubeconfig",
        "--run-firewall=true",
        "--run-router=false",
        "--run-service-proxy=false",
        "--run-loadbalancer=false",
        f"--enable-ipv6={str(IPV6 in families).lower()}",
        f"--hostname-override={node.name}",
        f"--service-cluster-ip-range={joined(family.services for family in families)}",
        "--service-node-port-range=30000-32767",
    ]
