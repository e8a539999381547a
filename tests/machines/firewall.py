"""A cloud's firewalls, as nftables rules on the operator's ends of public links; rendered as one table.

As at Hetzner: whoever has a firewall is reached through its rules alone, may reach everything unless a rule limits
that, and what belongs to a connection that was let through passes. Private links have no firewall.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Literal

TABLE = "estate"
HELD_TABLE = "estate_held"
Direction = Literal["in", "out"]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What is let through."""

    direction: Direction
    protocol: Literal["tcp", "udp", "icmp", "esp", "gre"]
    networks: tuple[str, ...]
    """CIDR ranges: who may come in, or where the machine may go."""
    port: str | None = None
    """`22`, `80-85` or `any`; None where the protocol has none."""

    def lines(self) -> list[str]:
        """Render; a range of the other family is a rule of its own."""
        end = "saddr" if self.direction == "in" else "daddr"
        port = "" if self.port in (None, "any") else f" {self.protocol} dport {self.port}"
        # Both protocols of the name: a rule for ping is written once.
        protocol = "{ icmp, ipv6-icmp }" if self.protocol == "icmp" else self.protocol
        families = [(ip_network(each).version, each) for each in self.networks]
        return [
            f"{'ip6' if version == 6 else 'ip'} {end} {each} meta l4proto {protocol}{port} return"
            for version, each in families
        ]


def _chain(name: str, rules: Iterable[Rule]) -> list[str]:
    lines = [line for rule in rules for line in rule.lines()]
    return [f"chain {name} {{", *(f"  {line}" for line in lines), "  drop", "}"]


def render(firewalls: Mapping[str, Sequence[Rule]]) -> str:
    """Render the table that replaces the one before at once, so that no packet passes between two.

    `firewalls` maps the operator's end of a link to the rules of all firewalls of its machine; a link that is not
    named has none.
    """
    chains, toward, away = [], [], []
    for link, rules in firewalls.items():
        chains += _chain(f"to_{link}", [rule for rule in rules if rule.direction == "in"])
        toward.append(f'oifname "{link}" jump to_{link}')
        if limited := [rule for rule in rules if rule.direction == "out"]:
            chains += _chain(f"from_{link}", limited)
            away.append(f'iifname "{link}" jump from_{link}')
    belongs = "ct state established,related return"
    lines = [
        f"table inet {TABLE} {{",
        *(f"  {line}" for line in chains),
        *_nested("toward", [belongs, *toward]),
        *_nested("away", [belongs, *away]),
        *_nested("input", ["type filter hook input priority filter; policy accept;", "jump away"]),
        *_nested("forward", ["type filter hook forward priority filter; policy accept;", "jump away", "jump toward"]),
        *_nested("output", ["type filter hook output priority filter; policy accept;", "jump toward"]),
        "}",
    ]
    # Added first, so that deleting it succeeds the first time too.
    return "\n".join([f"table inet {TABLE} {{ }}", f"delete table inet {TABLE}", *lines]) + "\n"


def _nested(name: str, lines: Iterable[str]) -> list[str]:
    return [f"  chain {name} {{", *(f"    {line}" for line in lines), "  }"]


def held_ports() -> str:
    """Render the table whose set names links and ports that refuse every connection until their time is over."""
    return "\n".join(
        [
            f"table inet {HELD_TABLE} {{",
            "  set links { type ifname . inet_service; flags timeout; }",
            *_nested(
                "output",
                [
                    "type filter hook output priority filter - 1; policy accept;",
                    "oifname . tcp dport @links reject with tcp reset",
                ],
            ),
            *_nested(
                "forward",
                [
                    "type filter hook forward priority filter - 1; policy accept;",
                    "oifname . tcp dport @links reject with tcp reset",
                ],
            ),
            "}",
            "",
        ]
    )


def hold(link: str, port: int, seconds: float) -> str:
    """Render what makes a port of a machine refuse every packet for so long."""
    return f'add element inet {HELD_TABLE} links {{ "{link}" . {port} timeout {round(seconds * 1000)}ms }}'


def release(link: str, port: int) -> str:
    """Render what opens the port again before its time."""
    return f'delete element inet {HELD_TABLE} links {{ "{link}" . {port} }}'
