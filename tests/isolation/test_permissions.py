"""What identities may do, asked of the API server itself and seen from inside the pods."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from kubernetes import client

from probes import rights
from probes.rights import Right
from tests.deployments import Deployed
from tests.isolation.destinations import pod_of
from tests.rakazo_account import account_client, as_computer, as_rakazo

ABOUT_ITSELF = {
    "create authentication.k8s.io/selfsubjectreviews",
    "create authorization.k8s.io/selfsubjectaccessreviews",
    "create authorization.k8s.io/selfsubjectrulesreviews",
}
"""What Kubernetes grants everybody who has logged in."""


def held(deployed: Deployed, account: str, namespace: str, asked: frozenset[Right]) -> dict[Right, bool]:
    """Ask the API server about each right of a service account."""
    review = client.AuthorizationV1Api(deployed.api)
    answers = {}
    for right in asked:
        resource, _, subresource = right.resource.partition("/")
        answer = review.create_subject_access_review(
            {
                "spec": {
                    "user": f"system:serviceaccount:{namespace}:{account}",
                    "groups": ["system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated"],
                    "resourceAttributes": {
                        "verb": right.verb,
                        "resource": resource,
                        "subresource": subresource,
                        "group": right.group,
                        "namespace": right.namespace,
                    },
                }
            }
        )
        answers[right] = bool(answer.status.allowed)
    return answers


def matrix(deployed: Deployed) -> list[str]:
    """Return what is wrong with the rights of Rakazo's account."""
    asked = rights.granted(deployed.computers) | rights.refused(deployed.computers, deployed.application)
    answers = held(deployed, "rakazo", deployed.application, asked)
    return rights.faults(answers, deployed.computers, deployed.application)


@contextmanager
def role_widened(deployed: Deployed, verb: str, resource: str = "pods") -> Iterator[None]:
    """Add a verb to Rakazo's role."""
    authorization = client.RbacAuthorizationV1Api(deployed.api)
    (role,) = authorization.list_namespaced_role(deployed.computers).items
    before = role.to_dict()["rules"]
    role.rules.append(client.V1PolicyRule(api_groups=[""], resources=[resource], verbs=[verb]))
    authorization.replace_namespaced_role(role.metadata.name, deployed.computers, role)
    try:
        yield
    finally:
        (role,) = authorization.list_namespaced_role(deployed.computers).items
        role.rules = role.rules[: len(before)]
        authorization.replace_namespaced_role(role.metadata.name, deployed.computers, role)


def test_rakazos_account_holds_exactly_the_five_verbs(deployed: Deployed) -> None:
    """B103: pods create, get, delete; pods/exec create, get; nothing else anywhere."""
    assert matrix(deployed) == []


def test_a_role_that_may_list_pods_is_found(deployed: Deployed) -> None:
    """The guard of the test above, seen failing for the reason it exists."""
    with role_widened(deployed, "list"):
        assert matrix(deployed) == [f"too much: list pods in {deployed.computers}"]


def test_the_default_accounts_hold_no_right(deployed: Deployed) -> None:
    """A computer runs as `default`: it may do none of it, not even what Rakazo may."""
    asked = rights.granted(deployed.computers) | rights.refused(deployed.computers, deployed.application)
    for namespace in (deployed.application, deployed.computers):
        assert [str(right) for right, yes in held(deployed, "default", namespace, asked).items() if yes] == []


def test_tokens_are_mounted_in_api_and_worker_only(deployed: Deployed) -> None:
    """B104: web and postgres have no business with the Kubernetes API."""
    pods = deployed.pods(deployed.application)
    mounted = {
        component: pods.execute(
            pod_of(deployed, component), ["sh", "-c", "test -e /var/run/secrets/kubernetes.io/serviceaccount/token"]
        ).exit_code
        == 0
        for component in ("api", "worker", "web", "postgres")
    }
    assert mounted == {"api": True, "worker": True, "web": False, "postgres": False}


def test_no_service_variable_of_kubernetes_reaches_a_pod(deployed: Deployed) -> None:
    """B101: API_PORT=tcp://… would make the API listen nowhere."""
    pods = deployed.pods(deployed.application)
    for component in ("api", "worker", "web"):
        environment = pods.execute(pod_of(deployed, component), ["env"]).output
        injected = [
            line for line in environment.splitlines() if "=tcp://" in line and not line.startswith("KUBERNETES_")
        ]
        assert injected == [], component


def test_rakazos_account_really_creates_enters_and_deletes_and_really_does_not_list(deployed: Deployed) -> None:
    """The reviews above are the API server's word; this is its deed, with the account's own token."""
    pods, name = as_rakazo(deployed), "deed"
    pods.start(as_computer(name, deployed))
    try:
        ran = pods.execute(name, ["echo", "entered"])
        assert (ran.exit_code, ran.output.strip()) == (0, "entered")
    finally:
        pods.delete(name)
    with pytest.raises(client.ApiException) as refused:
        client.CoreV1Api(account_client(deployed)).list_namespaced_pod(deployed.computers)
    assert refused.value.status == 403


def rules_of(deployed: Deployed, account: str, home: str, namespace: str) -> tuple[set[str], set[str]]:
    """Ask the API server, as an account, for all that it may do in a namespace: on resources, and on other paths.

    What every identity may, which is to ask about itself, is left out.
    """
    review = client.AuthorizationV1Api(account_client(deployed, account, home)).create_self_subject_rules_review(
        {"spec": {"namespace": namespace}}
    )
    assert not review.status.incomplete, review.status.evaluation_error
    resources = {
        f"{verb} {group}/{resource} {rule.resource_names or ''}".strip()
        for rule in review.status.resource_rules
        for verb in rule.verbs
        for group in rule.api_groups
        for resource in rule.resources
    }
    paths = {
        f"{verb} {path}"
        for rule in review.status.non_resource_rules
        for verb in rule.verbs
        for path in rule.non_resource_urls
    }
    return resources - ABOUT_ITSELF, paths


def test_the_api_server_lists_the_five_verbs_and_no_other_rule(deployed: Deployed) -> None:
    """B103: all rules, not only those that somebody thought of asking about."""
    five = {"create /pods", "get /pods", "delete /pods", "create /pods/exec", "get /pods/exec"}
    home, computers = deployed.application, deployed.computers
    for_everybody = rules_of(deployed, "default", computers, computers)
    assert for_everybody[0] == set()
    assert rules_of(deployed, "rakazo", home, computers) == (five, for_everybody[1])
    for elsewhere in (home, "default", "kube-system"):
        assert rules_of(deployed, "rakazo", home, elsewhere)[0] == set(), elsewhere


def test_a_rule_that_nobody_asked_about_is_found(deployed: Deployed) -> None:
    """The guard of the test above, seen failing where the list of questions is blind."""
    with role_widened(deployed, "get", "pods/status"):
        assert matrix(deployed) == []
        held, _ = rules_of(deployed, "rakazo", deployed.application, deployed.computers)
        assert "get /pods/status" in held
