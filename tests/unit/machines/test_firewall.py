"""The rules of a cloud's firewall as nftables text; that the kernel obeys it is the engine tier's to prove."""

import pytest

from tests.machines.firewall import Rule, render


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        (
            Rule(direction="in", protocol="tcp", port="22", networks=("198.51.100.7/32", "2001:db8::/32")),
            [
                "ip saddr 198.51.100.7/32 meta l4proto tcp tcp dport 22 return",
                "ip6 saddr 2001:db8::/32 meta l4proto tcp tcp dport 22 return",
            ],
        ),
        (
            Rule(direction="out", protocol="udp", port="any", networks=("0.0.0.0/0",)),
            ["ip daddr 0.0.0.0/0 meta l4proto udp return"],
        ),
        (
            Rule(direction="in", protocol="icmp", networks=("0.0.0.0/0",)),
            ["ip saddr 0.0.0.0/0 meta l4proto { icmp, ipv6-icmp } return"],
        ),
    ],
    ids=["a port of both families", "every port", "ping"],
)
def test_a_rule_names_the_direction_s_end_and_its_ports(rule: Rule, lines: list[str]) -> None:
    assert rule.lines() == lines


def test_a_firewall_without_rules_drops_what_comes_in_and_nothing_that_goes_out() -> None:
    text = render({"public101": []})
    assert "chain to_public101 {\n    drop\n  }" in text
    assert 'oifname "public101" jump to_public101' in text
    assert "from_public101" not in text


def test_a_rule_for_what_goes_out_limits_that_alone() -> None:
    text = render({"public101": [Rule(direction="out", protocol="tcp", port="80", networks=("0.0.0.0/0",))]})
    assert "chain to_public101 {\n    drop\n  }" in text
    assert "chain from_public101 {\n    ip daddr 0.0.0.0/0 meta l4proto tcp tcp dport 80 return\n    drop\n  }" in text
