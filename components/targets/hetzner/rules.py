"""What the cloud's firewall lets through to a server's public address: nothing but this."""

from collections.abc import Iterator, Sequence

import pulumi_hcloud as hcloud

EVERYWHERE = ("0.0.0.0/0", "::/0")


def allowed(admins: Sequence[str], *, open_web: bool, kubernetes: bool = True) -> Iterator[hcloud.FirewallRuleArgs]:
    """Yield the rules. An empty list of administrators is no rule, since Hetzner takes an empty source for none too.

    etcd, the kubelet and the pods' network are not named: nodes use the private network for them, which this
    firewall does not see.
    """
    yield _rule("icmp", EVERYWHERE, "Echo, and what tells a sender that its packets are too large")
    if admins:
        yield _rule("tcp", admins, "SSH", "22")
    if admins and kubernetes:
        yield _rule("tcp", admins, "Kubernetes API", "6443")
    if open_web:
        yield _rule("tcp", EVERYWHERE, "Web, redirects only", "80")
        yield _rule("tcp", EVERYWHERE, "Web", "443")


def _rule(protocol: str, sources: Sequence[str], description: str, port: str | None = None) -> hcloud.FirewallRuleArgs:
    return hcloud.FirewallRuleArgs(
        direction="in", protocol=protocol, port=port, source_ips=list(sources), description=description
    )
