"""The firewall of a machine itself: what pods and strangers must not reach of it, whatever policies say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_network

TABLE = "rakazo_infra"
FILE = "/etc/rakazo-infra/firewall.nft"
API_PORT = 6443
NODES_ONLY_TCP = ("2379-2381", "5001", "10248-10259")
"""etcd, k3s' image exchange, and the kubelet and its neighbours: nodes call them on each other, nobody else does."""
NODES_ONLY_UDP = ("8472", "51820-51821")
"""The pods' network between nodes, as VXLAN and as WireGuard."""
NODE_PORTS = "30000-32767"
METADATA = "169.254.0.0/16"
"""Link-local: where clouds answer with a machine's user data, without asking who calls."""


@dataclass(frozen=True, kw_only=True)
class FirewallArgs:
    """What the rules are made of; ranges are CIDR text."""

    pods: str
    kubernetes_service: str
    """Address of the API server's Service, the one way for pods to a node."""
    nodes: Sequence[str]
    """Every address of every node."""
    ssh_port: int
    admins: Sequence[str] | None
    """Who else may reach SSH and the API. None: a firewall in front of the machine decides that."""
    private: str | None = None
    """With no `admins`: the network on which no such firewall stands, where only nodes may reach SSH and the API."""


def render_firewall(args: FirewallArgs) -> str:
    """Return the rules as nft reads them; they replace the ones before in one step.

    A rule that drops is final whatever other tables say, and one that accepts ends only this table's say.
    """
    doors = f"{{ {args.ssh_port}, {API_PORT} }}"
    inner = ", ".join(NODES_ONLY_TCP)
    lines = [
        "# Written by rakazo-infra; a change is lost at the next `pulumi up`.",
        f"table inet {TABLE} {{ }}",
        f"delete table inet {TABLE}",
        f"table inet {TABLE} {{",
        *_sets("nodes", args.nodes),
        *(_sets("admins", args.admins) if args.admins is not None else []),
        "",
        "  # A pod reaches the API server through its Service, and nothing else of any node.",
        "  chain pods {",
        f"    tcp dport {API_PORT} ct original ip daddr {args.kubernetes_service} accept",
        "    drop",
        "  }",
        "",
        "  chain input {",
        "    type filter hook input priority -5; policy accept;",
        "    ct state established,related accept",
        '    iifname "lo" accept',
        f"    ip saddr {args.pods} jump pods",
        "    ip saddr @nodes4 accept",
        "    ip6 saddr @nodes6 accept",
        *(f"    {rule}" for rule in _doors(args, doors)),
        f"    tcp dport {{ {inner} }} drop",
        f"    udp dport {{ {', '.join(NODES_ONLY_UDP)} }} drop",
        "  }",
        "",
        "  chain forward {",
        "    type filter hook forward priority -5; policy accept;",
        "    ct state established,related accept",
        f"    ip saddr {args.pods} ip daddr @nodes4 jump pods",
        "    # Some clouds' resolver is there too, and the cluster's DNS asks it.",
        f"    ip saddr {args.pods} ip daddr {METADATA} meta l4proto {{ tcp, udp }} th dport 53 accept",
        f"    ip saddr {args.pods} ip daddr {METADATA} drop",
        "  }",
        "",
        "  # Before kube-proxy turns a node's port into a pod's.",
        "  chain node_ports {",
        "    type filter hook prerouting priority -110; policy accept;",
        "    # Pods' connections leave a node from any of its ports, also from these: what comes back is let in.",
        "    ct state established,related accept",
        '    iifname "lo" accept',
        "    ip saddr @nodes4 accept",
        "    ip6 saddr @nodes6 accept",
        *(["    ip saddr @admins4 accept", "    ip6 saddr @admins6 accept"] if args.admins is not None else []),
        "    # At every address that the machine has, also those of which the stack knows nothing.",
        f"    fib daddr type local meta l4proto {{ tcp, udp }} th dport {NODE_PORTS} drop",
        "  }",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _doors(args: FirewallArgs, doors: str) -> list[str]:
    if args.admins is None:
        return [] if args.private is None else [f"ip saddr {args.private} tcp dport {doors} drop"]
    return [
        f"ip saddr @admins4 tcp dport {doors} accept",
        f"ip6 saddr @admins6 tcp dport {doors} accept",
        f"tcp dport {doors} drop",
    ]


def _sets(name: str, ranges: Iterable[str]) -> list[str]:
    """Return a set per family; an empty one matches nobody."""
    networks = [ip_network(text) for text in dict.fromkeys(ranges)]
    lines = []
    for version, kind in ((4, "ipv4_addr"), (6, "ipv6_addr")):
        members = sorted(str(network) for network in networks if network.version == version)
        lines += [f"  set {name}{version} {{", f"    type {kind}", "    flags interval", "    auto-merge"]
        lines += [f"    elements = {{ {', '.join(members)} }}"] if members else []
        lines += ["  }"]
    return lines
