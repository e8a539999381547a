"""What NetworkPolicies mean: an evaluator of the API's own rules, for tests.

It answers for a plugin that follows the specification on pods' addresses. It knows nothing of a plugin's
liberties (traffic of the own node, blocks that do not match pods): those are the isolation tier's business.
"""

from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any

NAMESPACE_NAME = "kubernetes.io/metadata.name"


@dataclass(frozen=True)
class Pod:
    """A pod of the cluster."""

    namespace: str
    labels: dict[str, str] = field(default_factory=dict)
    address: str = "10.42.1.7"


@dataclass(frozen=True)
class Host:
    """Anything outside the pods: a node, the API server, the internet."""

    address: str


Party = Pod | Host


@dataclass(frozen=True)
class Policies:
    """All NetworkPolicies of a cluster, as Kubernetes objects."""

    objects: list[dict[str, Any]]

    def connects(self, source: Party, target: Party, port: int, protocol: str = "TCP") -> bool:
        """Whether a connection passes both the source's egress and the target's ingress."""
        return self._passes("Egress", source, target, port, protocol) and self.admits(target, source, port, protocol)

    def admits(self, target: Party, source: Party, port: int, protocol: str = "TCP") -> bool:
        """Whether a connection that is on its way passes the target's ingress."""
        return self._passes("Ingress", target, source, port, protocol)

    def _passes(self, direction: str, subject: Party, peer: Party, port: int, protocol: str) -> bool:
        if isinstance(subject, Host):
            return True
        selecting = [
            policy
            for policy in self.objects
            if policy["metadata"]["namespace"] == subject.namespace
            and direction in policy["spec"]["policyTypes"]
            and selects(policy["spec"]["podSelector"], subject.labels)
        ]
        rules, peers = ("ingress", "from") if direction == "Ingress" else ("egress", "to")
        return not selecting or any(
            _ports_match(rule.get("ports"), port, protocol)
            and _peers_match(rule.get(peers), peer, policy["metadata"]["namespace"])
            for policy in selecting
            for rule in policy["spec"].get(rules, [])
        )


def _peers_match(peers: list[dict[str, Any]] | None, party: Party, namespace: str) -> bool:
    """No list means everybody; items of a list are alternatives, the selectors of one item are not."""
    return not peers or any(_peer_matches(peer, party, namespace) for peer in peers)


def _peer_matches(peer: dict[str, Any], party: Party, namespace: str) -> bool:
    if "ipBlock" in peer:
        address, block = ip_address(party.address), peer["ipBlock"]
        return address in ip_network(block["cidr"]) and not any(
            address in ip_network(excepted) for excepted in block.get("except", [])
        )
    if isinstance(party, Host):
        return False
    if "namespaceSelector" in peer:
        in_namespace = selects(peer["namespaceSelector"], {NAMESPACE_NAME: party.namespace})
    else:
        in_namespace = party.namespace == namespace
    return in_namespace and selects(peer.get("podSelector", {}), party.labels)


def _ports_match(ports: list[dict[str, Any]] | None, port: int, protocol: str) -> bool:
    return not ports or any(
        item.get("protocol", "TCP") == protocol
        and ("port" not in item or item["port"] <= port <= item.get("endPort", item["port"]))
        for item in ports
    )


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    """Every label and every expression has to hold; an empty selector selects everything."""
    exact = all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items())
    return exact and all(_holds(term, labels) for term in selector.get("matchExpressions", []))


def _holds(term: dict[str, Any], labels: dict[str, str]) -> bool:
    value = labels.get(term["key"])
    match term["operator"]:
        case "In":
            return value in term["values"]
        case "NotIn":
            return value not in term["values"]
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case other:
            raise AssertionError(f"{other} is no operator of a label selector")
