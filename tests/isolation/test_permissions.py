"""What the application's pods are given, and what their account really does; all its rights are test_verification's."""

import pytest
from kubernetes import client

from tests.deployments import Deployed
from tests.rakazo_account import account_client, as_computer, as_rakazo


def test_no_service_variable_of_kubernetes_reaches_a_pod(deployed: Deployed) -> None:
    """B101: API_PORT=tcp://… would make the API listen nowhere."""
    pods = deployed.pods(deployed.application)
    for component in ("api", "worker", "web"):
        environment = pods.execute(deployed.pod_of(component), ["env"]).output
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
