"""What the API server says that an account may do; asked as the account itself, for which nobody needs a right."""

from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from kubernetes import client

from probes.rights import Right

AT_ONCE = 8


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Everything that an account may do in one namespace, also what nobody thought of asking about."""

    resources: frozenset[str]
    """Verb, API group and resource: `create /pods/exec`, `get apps/deployments ['web']`."""
    paths: frozenset[str]
    """Verb and path outside resources: `get /healthz`."""
    gap: str = ""
    """What the API server says that it left out; empty when that is nothing."""

    @property
    def all(self) -> frozenset[str]:
        """Both kinds."""
        return self.resources | self.paths


def may(account: client.ApiClient, asked: Collection[Right]) -> dict[Right, bool]:
    """Ask about each right."""
    review = client.AuthorizationV1Api(account)

    def allowed(right: Right) -> bool:
        answer = review.create_self_subject_access_review({"spec": {"resourceAttributes": attributes(right)}})
        return bool(answer.status.allowed)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(asked, pool.map(allowed, asked), strict=True))


def attributes(right: Right) -> dict[str, str]:
    """Return a right as the API server is asked about it."""
    resource, _, subresource = right.resource.partition("/")
    return {
        "verb": right.verb,
        "resource": resource,
        "subresource": subresource,
        "group": right.group,
        "namespace": right.namespace,
    }


def rules(account: client.ApiClient, namespace: str) -> Rules:
    """Ask for all rules in a namespace; those of the whole cluster are among them."""
    review = client.AuthorizationV1Api(account).create_self_subject_rules_review({"spec": {"namespace": namespace}})
    status: dict[str, Any] = account.sanitize_for_serialization(review.status)
    return read_rules(status)


def rules_everywhere(account: client.ApiClient, namespaces: Iterable[str]) -> dict[str, Rules]:
    """Ask for all rules in each namespace."""
    listed = list(namespaces)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(listed, pool.map(lambda each: rules(account, each), listed), strict=True))


def read_rules(status: Mapping[str, Any]) -> Rules:
    """Return the rules that a SelfSubjectRulesReview's status lists."""
    resources = {
        f"{verb} {group}/{resource} {rule.get('resourceNames') or ''}".strip()
        for rule in status.get("resourceRules") or []
        for verb in rule.get("verbs") or []
        for group in rule.get("apiGroups") or []
        for resource in rule.get("resources") or []
    }
    paths = {
        f"{verb} {path}"
        for rule in status.get("nonResourceRules") or []
        for verb in rule.get("verbs") or []
        for path in rule.get("nonResourceURLs") or []
    }
    gap = str(status.get("evaluationError") or "it does not know every rule") if status.get("incomplete") else ""
    return Rules(resources=frozenset(resources), paths=frozenset(paths), gap=gap)
