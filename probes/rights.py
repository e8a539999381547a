"""What Rakazo's service account may do: exactly the five verbs, and nothing of what would break out."""

from collections.abc import Mapping
from dataclasses import dataclass

FIVE = frozenset({"create /pods", "get /pods", "delete /pods", "create /pods/exec", "get /pods/exec"})
"""The rights that Rakazo needs, as the API server lists them: verb, API group (here the core one), resource."""
FOR_EVERYBODY = frozenset(
    {
        "create authentication.k8s.io/selfsubjectreviews",
        "create authorization.k8s.io/selfsubjectaccessreviews",
        "create authorization.k8s.io/selfsubjectrulesreviews",
        "get certificates.k8s.io/clustertrustbundles",
        "list certificates.k8s.io/clustertrustbundles",
        "watch certificates.k8s.io/clustertrustbundles",
    }
)
"""What Kubernetes itself grants every account: to ask about itself, and to read public certificates."""


@dataclass(frozen=True, kw_only=True, order=True)
class Right:
    """One question to the API server: may the account do this?"""

    verb: str
    resource: str
    """`pods`, or with its subresource `pods/exec`."""
    namespace: str
    group: str = ""
    """API group; empty for the core group."""

    def __str__(self) -> str:
        """Return the right as reports show it."""
        where = f"in {self.namespace}" if self.namespace else "in the whole cluster"
        return f"{self.verb} {self.resource} {where}"


def granted(computers: str) -> frozenset[Right]:
    """Return the rights that Rakazo needs, all in the computers' namespace (facts: the five verbs)."""
    return frozenset(
        [Right(verb=verb, resource="pods", namespace=computers) for verb in ("create", "get", "delete")]
        + [Right(verb=verb, resource="pods/exec", namespace=computers) for verb in ("create", "get")]
    )


def refused(computers: str, application: str) -> frozenset[Right]:
    """Return rights whose possession would be a way out or a way to somebody else's data."""
    here = [
        Right(verb=verb, resource="pods", namespace=computers)
        for verb in ("list", "watch", "patch", "update", "deletecollection")
    ]
    beside = [
        Right(verb=verb, resource=resource, namespace=computers)
        for verb, resource in (
            ("create", "pods/portforward"),
            ("create", "pods/attach"),
            ("update", "pods/ephemeralcontainers"),
            ("get", "pods/log"),
            ("get", "secrets"),
            ("list", "secrets"),
            ("create", "serviceaccounts/token"),
            ("create", "services"),
            ("create", "persistentvolumeclaims"),
        )
    ]
    application_rights = [
        Right(verb=verb, resource=resource, namespace=application)
        for verb, resource in (
            ("create", "pods"),
            ("get", "pods"),
            ("delete", "pods"),
            ("create", "pods/exec"),
            ("get", "secrets"),
            ("get", "configmaps"),
        )
    ]
    roles = [
        Right(verb=verb, resource=resource, namespace=computers, group="rbac.authorization.k8s.io")
        for verb, resource in (("escalate", "roles"), ("bind", "roles"), ("create", "rolebindings"))
    ]
    cluster = [
        Right(verb=verb, resource=resource, namespace="")
        for verb, resource in (
            ("get", "nodes"),
            ("list", "nodes"),
            ("get", "nodes/proxy"),
            ("list", "namespaces"),
            ("impersonate", "users"),
            ("impersonate", "serviceaccounts"),
        )
    ]
    return frozenset([*here, *beside, *application_rights, *roles, *cluster])


def faults(held: Mapping[Right, bool], computers: str, application: str) -> list[str]:
    """Return each right that is missing or too much, given the API server's answers."""
    wrong = [f"missing: {right}" for right in sorted(granted(computers)) if not held[right]]
    wrong += [f"too much: {right}" for right in sorted(refused(computers, application)) if held[right]]
    return wrong
