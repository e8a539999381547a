"""How each broken variant is broken: one function, one slip, undone at the end."""

import base64
import os
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

from kubernetes import client

from local.cluster import ClusterFolder
from local.machines.records import ProcessRecord
from tests.isolation.overlays import Cluster, added, changed, remade, removed, rolled_out

LAST_SCREEN = 6199


def range_missing(cluster: Cluster) -> AbstractContextManager[None]:
    """Leave one range out of what computers are kept from."""

    def change(policy: dict[str, Any]) -> None:
        policy["spec"]["egress"][0]["to"][0]["ipBlock"]["except"].remove("172.16.0.0/12")

    return changed(cluster, "NetworkPolicy", "public-internet", change, cluster.deployed.computers)


def selectors_apart(cluster: Cluster) -> AbstractContextManager[None]:
    """Write "either" where "both" is meant."""

    def change(policy: dict[str, Any]) -> None:
        (peer,) = policy["spec"]["ingress"][0]["from"]
        policy["spec"]["ingress"][0]["from"] = [{key: value} for key, value in peer.items()]

    return changed(cluster, "NetworkPolicy", "screens-from-application", change, cluster.deployed.computers)


def end_port_too_low(cluster: Cluster) -> AbstractContextManager[None]:
    """End the screens' range one port early."""

    def change(policy: dict[str, Any]) -> None:
        (ranged,) = [port for port in policy["spec"]["ingress"][0]["ports"] if port.get("endPort") == LAST_SCREEN]
        ranged["endPort"] = LAST_SCREEN - 1

    return changed(cluster, "NetworkPolicy", "screens-from-application", change, cluster.deployed.computers)


def egress_missing(cluster: Cluster) -> AbstractContextManager[None]:
    """Take away every policy that holds back what computers send."""
    return removed(cluster, "NetworkPolicy", ["deny-all", "dns", "public-internet"], cluster.deployed.computers)


def dns_missing(cluster: Cluster) -> AbstractContextManager[None]:
    """Forget that names have to be resolved."""
    return removed(cluster, "NetworkPolicy", ["dns"], cluster.deployed.computers)


def everybody_let_in(cluster: Cluster) -> AbstractContextManager[None]:
    """Policies add up: one that lets everybody in is enough."""
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{}]}
    body = {"metadata": {"name": "for-debugging"}, "spec": spec}
    return added(cluster, "NetworkPolicy", body, cluster.deployed.computers)


def metadata_from_web(cluster: Cluster) -> AbstractContextManager[None]:
    """Let web fetch the node's identity."""
    peer = {"ipBlock": {"cidr": "169.254.169.254/32"}}
    body = {
        "metadata": {"name": "metadata"},
        "spec": {
            "podSelector": {"matchLabels": {"app.kubernetes.io/component": "web"}},
            "policyTypes": ["Egress"],
            "egress": [{"to": [peer]}],
        },
    }
    return added(cluster, "NetworkPolicy", body, cluster.deployed.application)


def database_open(cluster: Cluster) -> AbstractContextManager[None]:
    """Let every pod of the cluster talk to Postgres."""
    body = {
        "metadata": {"name": "for-a-dashboard"},
        "spec": {
            "podSelector": {"matchLabels": {"app.kubernetes.io/component": "postgres"}},
            "policyTypes": ["Ingress"],
            "ingress": [{"from": [{"namespaceSelector": {}}]}],
        },
    }
    return added(cluster, "NetworkPolicy", body, cluster.deployed.application)


def token_in_web(cluster: Cluster) -> AbstractContextManager[None]:
    """Mount the token of web's account, as Kubernetes does unless told otherwise."""

    def change(deployment: dict[str, Any]) -> None:
        deployment["spec"]["template"]["spec"]["automountServiceAccountToken"] = True

    return rolled_out(cluster, "rakazo-web", change)


def secret_in_web(cluster: Cluster) -> AbstractContextManager[None]:
    """Hand web the database login of api, under a name that web does not refuse to start with."""

    def change(deployment: dict[str, Any]) -> None:
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        key = {"secretKeyRef": {"name": "rakazo-api", "key": "DATABASE_URL"}}
        container["env"].append({"name": "STORE", "valueFrom": key})

    return rolled_out(cluster, "rakazo-web", change)


def secret_in_config_map(cluster: Cluster) -> AbstractContextManager[None]:
    """Write down a value that belongs into a Secret."""
    secret = client.CoreV1Api(cluster.deployed.api).read_namespaced_secret("rakazo-web", cluster.deployed.application)
    value = base64.b64decode(secret.data["SCREEN_PROXY_SECRET"]).decode()
    body = {"metadata": {"name": "notes"}, "data": {"for-later": f"screens: {value}"}}
    return added(cluster, "ConfigMap", body, cluster.deployed.application)


def role_too_wide(cluster: Cluster) -> AbstractContextManager[None]:
    """Let the account list what it should only know by name."""

    def change(role: dict[str, Any]) -> None:
        role["rules"].append({"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]})

    return changed(cluster, "Role", "rakazo-computers", change, cluster.deployed.computers)


def quiet_right(cluster: Cluster) -> AbstractContextManager[None]:
    """Add a right that is in no list of questions."""

    def change(role: dict[str, Any]) -> None:
        role["rules"].append({"apiGroups": [""], "resources": ["pods/status"], "verbs": ["get"]})

    return changed(cluster, "Role", "rakazo-computers", change, cluster.deployed.computers)


def second_binding(cluster: Cluster) -> AbstractContextManager[None]:
    """Give the account rights in a namespace that has nothing to do with it."""
    body = {
        "metadata": {"name": "also-here"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"kind": "ServiceAccount", "name": "rakazo", "namespace": cluster.deployed.application}],
    }
    return added(cluster, "RoleBinding", body, "default")


def binding_elsewhere(cluster: Cluster) -> AbstractContextManager[None]:
    """Bind the rules for computers to another namespace."""

    def change(binding: dict[str, Any]) -> None:
        selector = {"matchLabels": {"kubernetes.io/metadata.name": "rakazo-sandbox"}}
        binding["spec"]["matchResources"]["namespaceSelector"] = selector

    return changed(cluster, "ValidatingAdmissionPolicyBinding", f"{cluster.deployed.application}-computers", change)


def wait_missing(cluster: Cluster) -> AbstractContextManager[None]:
    """Take away what puts the wait in front of a computer."""
    return removed(cluster, "MutatingAdmissionPolicyBinding", [f"{cluster.deployed.application}-startup-wait"])


@contextmanager
def wait_and_rules_missing(cluster: Cluster) -> Iterator[None]:
    """Take away the wait, and the rules that would refuse a computer without it."""
    name = cluster.deployed.application
    with ExitStack() as both:
        both.enter_context(removed(cluster, "ValidatingAdmissionPolicyBinding", [f"{name}-computers"]))
        both.enter_context(removed(cluster, "MutatingAdmissionPolicyBinding", [f"{name}-startup-wait"]))
        yield


def limit_range_missing(cluster: Cluster) -> AbstractContextManager[None]:
    """Leave the quota without the defaults that make it bearable."""
    return removed(cluster, "LimitRange", ["computers"], cluster.deployed.computers)


def quota_missing(cluster: Cluster) -> AbstractContextManager[None]:
    """Let there be any number of computers."""
    return removed(cluster, "ResourceQuota", ["computers"], cluster.deployed.computers)


def false_handler(cluster: Cluster) -> AbstractContextManager[None]:
    """Call runc a sandbox: the node's containerd has such a handler."""
    name = f"{cluster.deployed.application}-gvisor"
    return remade(cluster, "RuntimeClass", name, lambda found: found.update(handler="sandbox"))


def no_scheduling(cluster: Cluster) -> AbstractContextManager[None]:
    """Say nothing about the nodes: computers would run anywhere."""
    name = f"{cluster.deployed.application}-gvisor"
    return remade(cluster, "RuntimeClass", name, lambda found: found.pop("scheduling"))


@contextmanager
def enforcer_stopped(cluster: Cluster) -> Iterator[None]:
    """Let the network plugin of the computers' node hang: every API still says that the node is well."""
    machine = ClusterFolder(cluster.deployed.deployment.folder.name).machine("computers")
    number = ProcessRecord.read(machine.program_record("kube-router")).pid
    os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(number, signal.SIGCONT)
