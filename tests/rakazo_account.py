"""Pods made with the rights of Rakazo's own service account, as api and worker make them."""

from typing import Any

from kubernetes import client

from probes.pods import Pods, spec
from tests.deployments import Deployed

ACCOUNT = "rakazo"


def account_client(deployed: Deployed, name: str = ACCOUNT, namespace: str | None = None) -> client.ApiClient:
    """Return a client that holds a short-lived token of a service account of the application's namespace."""
    token = client.CoreV1Api(deployed.api).create_namespaced_service_account_token(
        name, namespace or deployed.application, {"spec": {"expirationSeconds": 3600}}
    )
    api = deployed.api
    configuration = api.configuration
    configuration.cert_file = configuration.key_file = None
    configuration.api_key = {"authorization": f"Bearer {token.status.token}"}
    return client.ApiClient(configuration)


class _RakazosPods(Pods):
    """Creates and deletes with Rakazo's rights; waits with the administrator's, who may list events."""

    def __init__(self, deployed: Deployed) -> None:
        super().__init__(account_client(deployed), deployed.computers)
        self._watching = deployed.pods(deployed.computers)

    def explain(self, name: str) -> str:
        return self._watching.explain(name)


def as_rakazo(deployed: Deployed) -> Pods:
    """The computers' namespace, seen with Rakazo's rights."""
    return _RakazosPods(deployed)


def as_computer(name: str, deployed: Deployed, command: list[str] | None = None) -> dict[str, Any]:
    """Return a pod with the fields that Rakazo writes and no others (facts: the worst case)."""
    pod = spec(name, deployed.images["computer"], command, runtimeClassName=f"{deployed.application}-gvisor")
    del pod["spec"]["enableServiceLinks"], pod["spec"]["terminationGracePeriodSeconds"]
    del pod["spec"]["containers"][0]["securityContext"]["runAsNonRoot"]
    pod["spec"]["containers"][0]["name"] = "computer"
    return pod
