"""Broken variants of a good stack: what is broken, and exactly which claims it makes fail.

docs/security.md shows this table; `python -m tests.isolation.variants` writes it there.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.isolation import breaks
from tests.isolation.overlays import Cluster

Overlay = Callable[[Cluster], AbstractContextManager[None]]
NETWORK = ("out", "in")
LIVE_RANGES = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
)
"""Ranges in which the embedded outside has a listener."""
RULES = ("kernel", "placement", "identity", "admission", "secrets", "limits-default", "limits-number")


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One thing that is wrong, and what has to be said about it."""

    broken: str
    """A sentence for the table."""
    overlay: Overlay
    fails: frozenset[str]
    """Exactly these claims fail, and no others of those that are looked at."""
    says: str
    """Part of the cause or the remedy of one of them: it has to lead to the fault."""
    looks: tuple[str, ...] = (*NETWORK, *RULES)
    """Claims and groups that are looked at: all but those that need minutes or many new computers."""
    fresh: bool = False
    """Whether the computers that look have to be made while it is broken."""


def _variant(broken: str, overlay: Overlay, fails: set[str], says: str, **more: Any) -> Variant:
    return Variant(broken=broken, overlay=overlay, fails=frozenset(fails), says=says, **more)


VARIANTS: dict[str, Variant] = {
    "range missing": _variant(
        "172.16.0.0/12 is missing in the computers' egress policy",
        breaks.range_missing,
        {"out-range-172.16.0.0/12"},
        "public-internet",
    ),
    "selectors apart": _variant(
        "namespaceSelector and podSelector of the screens' policy are two items",
        breaks.selectors_apart,
        {"in-strangers"},
        "a stray pod of the application's namespace",
    ),
    "end port": _variant(
        "endPort of the screens' policy is one too low",
        breaks.end_port_too_low,
        {"in-screens"},
        "6199",
    ),
    "DNS rule missing": _variant(
        "the DNS policy of the computers is missing, under gVisor",
        breaks.dns_missing,
        {"out-dns-cluster", "out-dns-public", "out-public-web"},
        "target.dns",
    ),
    "screens open": _variant(
        "somebody added a policy that lets everybody in",
        breaks.everybody_let_in,
        {"in-strangers", "in-other-ports"},
        "a pod without policies",
    ),
    "metadata from web": _variant(
        "web may reach the metadata service",
        breaks.metadata_from_web,
        {"out-application-metadata"},
        "web → metadata service",
    ),
    "database open": _variant(
        "somebody added a policy that opens Postgres",
        breaks.database_open,
        {"in-postgres"},
        "a pod without policies → postgres",
    ),
    "token in web": _variant("web mounts a token", breaks.token_in_web, {"identity-mounts"}, "web"),
    "role too wide": _variant("the role may list pods", breaks.role_too_wide, {"identity-verbs"}, "list pods"),
    "quiet right": _variant(
        "the role has a right that nobody asked about", breaks.quiet_right, {"identity-verbs"}, "pods/status"
    ),
    "second binding": _variant(
        "a second RoleBinding gives the account rights elsewhere",
        breaks.second_binding,
        {"identity-elsewhere"},
        "default",
    ),
    "secret in web": _variant(
        "web holds api's database login",
        breaks.secret_in_web,
        {"secrets-services"},
        "DATABASE_URL",
    ),
    "secret in a ConfigMap": _variant(
        "a secret value was written into a ConfigMap",
        breaks.secret_in_config_map,
        {"secrets-nowhere"},
        "ConfigMap",
    ),
    "policy missing": _variant(
        "the policies that hold back what computers send are missing",
        breaks.egress_missing,
        {
            *(f"out-metadata-{key}" for key in ("link-local", "ecs-task", "eks-pod-identity", "azure")),
            *(f"out-metadata-{key}" for key in ("alibaba", "oracle")),
            *(f"out-range-{text}" for text in LIVE_RANGES),
            *(f"out-node-{key}" for key in ("kubelet", "ping")),
            *(f"out-api-server-{key}" for key in ("service", "endpoint")),
            *("out-dns-metrics", "out-pod", "out-pod-of-another-node", "out-other-service"),
        },
        "public-internet",
    ),
    "quota missing": _variant("the quota is missing", breaks.quota_missing, {"limits-number"}, "resourcequota"),
    "limits missing": _variant(
        "the quota stands without the LimitRange",
        breaks.limit_range_missing,
        {"admission-good", "limits-default"},
        "limit",
    ),
    "rules bound elsewhere": _variant(
        "the admission rules are bound to a namespace that does not exist",
        breaks.binding_elsewhere,
        {f"admission-{kind}" for kind in ("isolation", "image", "identity", "host", "privileges", "placement")}
        | {"admission-creator", "admission-ephemeral"},
        "accepted, and must be refused",
    ),
    "wait missing": _variant(
        "the mutating policy that adds the wait is not bound",
        breaks.wait_missing,
        {"admission-good", "admission-wait"},
        "network-policy-wait",
    ),
    "no scheduling": _variant(
        "the RuntimeClass says nothing about nodes",
        breaks.no_scheduling,
        {"placement-class", "admission-good"},
        "nodeSelector",
    ),
    "false handler": _variant(
        "the handler behind the class called gvisor is runc",
        breaks.false_handler,
        {"kernel-runtime"},
        "is not gVisor",
        looks=(*NETWORK, *RULES),
        fresh=True,
    ),
    "early bird": _variant(
        "neither the wait nor the rule that demands it is bound",
        breaks.wait_and_rules_missing,
        {"birth-window", "admission-wait"},
        "startup-wait",
        looks=("birth", "admission-wait", "kernel", "placement"),
    ),
    "enforcer stopped": _variant(
        "the network plugin of the computers' node has stopped",
        breaks.enforcer_stopped,
        {"birth-window"},
        "network policies are not in force",
        looks=("birth", "kernel", "identity", "admission"),
    ),
}
