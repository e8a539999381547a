"""What exists before what. The order in which the engine works is proven by the engine tier."""

import pytest

from tests.unit.example import example
from tests.unit.recorder import Registered

PODS = ("postgres", "migrate", "api", "worker", "web")


def workload(component: str) -> Registered:
    (found,) = (
        resource
        for kind in ("Deployment", "StatefulSet", "Job")
        for resource in example().of_kind(kind)
        if resource.metadata["labels"]["app.kubernetes.io/component"] == component
    )
    return found


def before(resource: Registered) -> set[str]:
    """Everything that a resource waits for, directly or not."""
    known = {other.urn: other for other in example().seen}
    waiting, reached = list(resource.dependencies), set[str]()
    while waiting:
        urn = waiting.pop()
        if urn not in reached and urn in known:
            reached.add(urn)
            waiting += known[urn].dependencies
    return reached


@pytest.mark.parametrize(
    ("earlier", "later"), [("postgres", "migrate"), ("migrate", "api"), ("api", "worker"), ("worker", "web")]
)
def test_services_start_one_after_the_other(earlier: str, later: str) -> None:
    """B109: schema before api, api before worker, and web last."""
    assert workload(earlier).urn in before(workload(later))
    assert workload(later).urn not in before(workload(earlier))


@pytest.mark.parametrize("component", PODS)
def test_every_network_policy_exists_before_a_pod_does(component: str) -> None:
    """B066: and deny-all above all."""
    policies = {policy.urn for policy in example().of_kind("NetworkPolicy")}

    assert policies
    assert policies <= before(workload(component))


@pytest.mark.parametrize(
    "kind",
    [
        "RuntimeClass",
        "Role",
        "RoleBinding",
        "ServiceAccount",
        "LimitRange",
        "ResourceQuota",
        "ValidatingAdmissionPolicyBinding",
        "MutatingAdmissionPolicyBinding",
    ],
)
def test_what_guards_computers_exists_before_anybody_can_create_one(kind: str) -> None:
    """B047, B064: api is the first that could."""
    guards = {resource.urn for resource in example().of_kind(kind)}

    assert guards
    assert guards <= before(workload("api"))


@pytest.mark.parametrize("component", PODS)
def test_a_pod_waits_for_its_own_secret(component: str) -> None:
    assert example().only("Secret", name=f"rakazo-{component}").urn in before(workload(component))


def test_the_way_in_opens_last() -> None:
    """B124: nobody reaches a half-started Rakazo."""
    entries = [service for service in example().of_kind("Service") if service.inputs["spec"]["type"] == "NodePort"]

    assert {
        (service.inputs["spec"]["ports"][0]["port"], service.inputs["spec"]["ports"][0]["nodePort"])
        for service in entries
    } == {(5173, 30173), (3100, 30100)}
    for service in entries:
        assert workload("web").urn in before(service)


def test_no_service_waits_for_its_endpoints() -> None:
    """The provider waits 10 s after every change of them; the pods' own readiness says the same at once."""
    services = example().of_kind("Service")

    assert len(services) == 5
    for service in services:
        assert service.metadata["annotations"] == {"pulumi.com/skipAwait": "true"}


@pytest.mark.parametrize("component", ["api", "worker", "web"])
def test_who_is_of_a_release_takes_his_namespace_from_the_migration(component: str) -> None:
    """B127: so the engine ends the old one before it replaces the migration; the engine tier shows that it does."""
    assert workload("migrate").urn in workload(component).property_dependencies["metadata"]
