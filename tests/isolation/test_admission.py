"""Who and what may come into the computers' namespace, with Pod Security in force; dry runs of a real API server.

The rules of our own policy have a module of theirs, where Pod Security is out of the way.
"""

import pytest
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.bad_pods import BAD_PODS
from probes.claims.dry_run import refusal
from tests.deployments import Deployed
from tests.isolation.admission import REFUSED
from tests.rakazo_account import account_client, as_computer, as_rakazo

OF_THE_HOST = (
    "the host's network",
    "the host's processes",
    "the host's shared memory",
    "the host's files",
    "a port of the host",
    "a privileged container",
    "an added capability",
)


def test_rakazos_own_pod_is_accepted(deployed: Deployed) -> None:
    """The allow twin of every refusal, here and in `test_admission_rules`."""
    assert refusal(as_rakazo(deployed), as_computer("good", deployed)) is None


@pytest.mark.parametrize("case", OF_THE_HOST)
def test_pod_security_refuses_what_is_of_the_host_by_itself(deployed: Deployed, case: str) -> None:
    """B047: two independent locks; this one holds on a cluster that has lost our policy."""
    pod = as_computer("bad", deployed)
    BAD_PODS[case].spoil(pod)
    said = refusal(as_rakazo(deployed), pod)
    assert said is not None, f"a pod with {case} was accepted"
    assert 'violates PodSecurity "baseline:' in said, said


def test_no_service_is_made_in_the_computers_namespace(deployed: Deployed) -> None:
    """B101: a Service there would reach every computer's environment."""
    core = client.CoreV1Api(account_client(deployed))
    with pytest.raises(ApiException) as refused:
        core.create_namespaced_service(
            deployed.computers, {"metadata": {"name": "api"}, "spec": {"ports": [{"port": 1}]}}, dry_run="All"
        )
    assert refused.value.status == REFUSED


def test_the_strictest_pod_security_level_that_rakazos_pod_passes_is_enforced(deployed: Deployed) -> None:
    """Decided here, not assumed: `restricted` refuses the pod for runAsNonRoot, `baseline` is enforced."""
    core = client.CoreV1Api(deployed.api)
    labels = core.read_namespace(deployed.computers).metadata.labels
    assert labels["pod-security.kubernetes.io/enforce"] == "baseline"
    assert labels["pod-security.kubernetes.io/warn"] == "restricted"
    name = "strictest"
    core.create_namespace({"metadata": {"name": name, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}})
    try:
        said = refusal(deployed.pods(name), as_computer("good", deployed))
    finally:
        core.delete_namespace(name)
    assert said is not None
    assert "runAsNonRoot" in said
