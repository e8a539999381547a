"""What holds for every committed stack file. Limits: Kubernetes and Pulumi's engine have not seen any of it."""

import base64
import importlib
import inspect
import pkgutil
from collections import Counter
from urllib.parse import quote

import pulumi
import pytest

import components
from stacks.settings import StackSettings
from tests.program.stack_files import STACK_FILES, stack_file
from tests.unit.example import SECRETS, secrets_of
from tests.unit.recorder import Recorder, Secret, leaves

assert STACK_FILES, "no stack file was found, so nothing would be tested"

CLUSTER_WIDE = {
    "ClusterRole",
    "ClusterRoleBinding",
    "Namespace",
    "RuntimeClass",
    "StorageClass",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
}


OF_THE_CLUSTER = {"StorageClass"}
"""Made together with a cluster that is this stack's alone, and gone with it."""


def test_default_providers_are_switched_off(stack: str) -> None:
    """B004: a resource that forgot its provider is an error, not a change to whatever cluster is at hand."""
    assert "kubernetes" in stack_file(stack)["pulumi:disable-default-providers"]


def test_every_kubernetes_resource_goes_through_the_stacks_own_provider(recorded: Recorder) -> None:
    """B004: no object lands on the cluster that the operator's shell points at."""
    (provider,) = [item for item in recorded.seen if item.typ == "pulumi:providers:kubernetes"]
    assert len(recorded.kubernetes) > 30
    found = [item for item in recorded.seen if item.typ.startswith("kubernetes:")]
    stray = [item.name for item in found if not item.provider.startswith(f"{provider.urn}::")]
    assert stray == []


def test_the_provider_is_told_which_cluster_it_is(recorded: Recorder) -> None:
    """B001: the identity is stated, and holds nothing of the kubeconfig's text."""
    (provider,) = [item for item in recorded.seen if item.typ == "pulumi:providers:kubernetes"]
    assert provider.inputs["clusterIdentifier"]
    assert provider.inputs["context"]


def test_only_components_hang_off_the_stack(recorded: Recorder) -> None:
    stray = [item.urn for item in recorded.seen if "pulumi:pulumi:Stack::" in item.parent and ":" in item.typ]
    assert [urn for urn in stray if "$rakazo:" not in urn] == []
    assert [item.urn for item in recorded.seen if not item.parent] == []


def test_no_two_resources_share_a_urn(recorded: Recorder) -> None:
    assert [urn for urn, count in Counter(item.urn for item in recorded.seen).items() if count > 1] == []


def test_no_two_objects_share_a_place_in_the_cluster(recorded: Recorder) -> None:
    """B037: two resources for one object would fight over it on every run."""
    places = Counter((item.kind, item.namespace, item.metadata["name"]) for item in recorded.kubernetes)
    assert [place for place, count in places.items() if count > 1] == []


def test_every_type_token_names_its_package_and_class(recorded: Recorder) -> None:
    """The token is part of every URN: it can never change after the first release."""
    classes = {
        f"rakazo:{module.name.split('.')[1]}:{name}"
        for module in pkgutil.walk_packages(components.__path__, "components.")
        for name, member in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(member, pulumi.ComponentResource) and member.__module__ == module.name
    }
    tokens = {item.typ for item in recorded.seen if item.typ.startswith("rakazo:")}
    assert tokens - classes == set()
    assert len(tokens) > 10


def test_every_object_has_a_name_that_is_known_before_it_exists(recorded: Recorder) -> None:
    assert [item.urn for item in recorded.kubernetes if not isinstance(item.metadata.get("name"), str)] == []


def test_every_object_is_found_by_the_stacks_labels(recorded: Recorder, settings: StackSettings) -> None:
    """B011: what a destroy has to remove can be listed. A patch of somebody else's object carries none."""
    ours = {"app.kubernetes.io/managed-by": "rakazo-infra"}
    wanted = {**ours, "app.kubernetes.io/instance": settings.application.namespace}
    loose = [
        item.urn
        for item in recorded.kubernetes
        if not item.kind.endswith("Patch")
        and not (ours if item.kind in OF_THE_CLUSTER else wanted).items() <= item.metadata.get("labels", {}).items()
    ]
    assert loose == []


def test_cluster_wide_names_are_the_stacks_own(recorded: Recorder, settings: StackSettings) -> None:
    """B037: a second stack on the same cluster takes over nothing of the first."""
    wide = [item for item in recorded.kubernetes if item.namespace is None]
    assert {item.kind for item in wide} <= CLUSTER_WIDE
    own = {settings.application.namespace, settings.application.computers_namespace}
    for item in wide:
        name = item.metadata["name"]
        assert name in own or name.startswith(f"{settings.application.namespace}-"), item.urn


def spellings(secret: str) -> set[str]:
    """Every form in which a secret could stand in an input."""
    return {secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode()}


def test_no_secret_is_plain_text_in_any_input(recorded: Recorder, settings: StackSettings) -> None:
    """B009: a value that the engine was not told to encrypt is readable in the state, encoded or not."""
    leaks = [
        f"{item.urn} {path}"
        for item in recorded.seen
        for path, value in leaves(item.inputs)
        for secret in secrets_of(settings.target.kind).values()
        if not isinstance(value, Secret) and any(form in str(value) for form in spellings(secret))
    ]
    assert leaks == []


@pytest.mark.parametrize("name", ["encryption_key", "better_auth_secret", "screen_proxy_secret"])
def test_secrets_do_reach_the_cluster_encrypted_on_the_way(recorded: Recorder, name: str) -> None:
    """B009: the test above would also pass if nothing carried a secret at all."""
    carried = [value for item in recorded.of_kind("Secret") for _, value in leaves(item.inputs)]
    hidden = str([value.value for value in carried if isinstance(value, Secret)])
    assert any(form in hidden for form in spellings(SECRETS[name]))


def test_no_output_was_written_as_text(recorded: Recorder) -> None:
    """B013: an f-string over an Output yields a sentence about Outputs."""
    marks = ("Output[", "pulumi.output.Output object", "Calling __str__")
    written = [
        f"{item.urn} {path}"
        for item in recorded.seen
        for path, value in leaves(item.inputs)
        if any(mark in str(value.value if isinstance(value, Secret) else value) for mark in marks)
    ]
    assert written == []


def test_every_namespace_is_closed_in_both_directions(recorded: Recorder, settings: StackSettings) -> None:
    """B130: without any setting."""
    namespaces = {item.metadata["name"] for item in recorded.of_kind("Namespace")}
    closed = {
        item.namespace
        for item in recorded.of_kind("NetworkPolicy")
        if item.inputs["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    }
    assert {settings.application.namespace, settings.application.computers_namespace} <= namespaces
    assert closed == namespaces


def test_whatever_is_in_a_namespace_waits_until_it_is_closed(recorded: Recorder) -> None:
    """B130: also on a destroy, where the policies go last."""
    before: dict[str, frozenset[str]] = {}
    for item in recorded.seen:  # in the order of registration, so what comes before is known
        before[item.urn] = item.dependencies.union(*(before.get(urn, ()) for urn in item.dependencies))
    closed = {
        item.namespace: item.urn for item in recorded.of_kind("NetworkPolicy") if item.metadata["name"] == "deny-all"
    }
    early = [
        item.urn
        for item in recorded.kubernetes
        if item.namespace is not None
        and item.urn != closed[item.namespace]
        and closed[item.namespace] not in before[item.urn]
    ]
    assert early == []


def test_every_service_has_one_port_on_both_sides(recorded: Recorder) -> None:
    """B070: some plugins judge a connection by the Service's port, some by the container's."""
    ports = [port for item in recorded.of_kind("Service") for port in item.inputs["spec"]["ports"]]
    assert len(ports) >= 3
    assert [port for port in ports if port["port"] != port["targetPort"]] == []


def test_no_service_has_a_name_that_rakazo_reads_as_a_setting(recorded: Recorder) -> None:
    """B101: a Service `api` writes API_PORT=tcp://… into pods."""
    prefixes = ("api", "web", "daytona", "box", "database", "encryption", "data")
    for service in recorded.of_kind("Service"):
        assert not service.metadata["name"].startswith(prefixes)


def test_where_pods_are_counted_they_get_limits(recorded: Recorder) -> None:
    """B064: a quota without a LimitRange refuses every pod that brings no limits."""
    quotas = {item.namespace for item in recorded.of_kind("ResourceQuota")}
    assert quotas
    assert quotas <= {item.namespace for item in recorded.of_kind("LimitRange")}
