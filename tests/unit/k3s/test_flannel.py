"""What the stand-in for k3s writes for flannel, where the machine's own firewall depends on it."""

from tests.k3s.program.flannel import MASQUERADE


def test_pods_leave_from_any_port_of_the_node_as_with_flannel_itself() -> None:
    """A firewall that closes some of them to everybody lets one connection of 23 hang (flannel's iptables.go)."""
    rules = [line for line in MASQUERADE.splitlines() if "MASQUERADE" in line]
    assert len(rules) == 2
    assert all(line.endswith(" -j MASQUERADE --random-fully") for line in rules)
