"""Acting as Rakazo does: with a short-lived token of its own service account."""

import copy

from kubernetes import client

from probes.facts import Facts
from probes.pods import Pods

TOKEN_SECONDS = 3600
"""Longer than any verification; tokens shorter than ten minutes are refused."""


def account_client(operator: client.ApiClient, namespace: str, account: str) -> client.ApiClient:
    """Return a client that holds a token of a service account; the operator's own credentials are left out.

    Needs `create` on `serviceaccounts/token`. ApiException when the account does not exist or the operator may not.
    """
    token = client.CoreV1Api(operator).create_namespaced_service_account_token(
        account, namespace, {"spec": {"expirationSeconds": TOKEN_SECONDS}}
    )
    configuration = copy.copy(operator.configuration)
    configuration.cert_file = configuration.key_file = None
    configuration.username = configuration.password = None
    configuration.refresh_api_key_hook = None
    configuration.api_key = {"authorization": f"Bearer {token.status.token}"}
    configuration.api_key_prefix = {}
    return client.ApiClient(configuration)


def rakazo_client(operator: client.ApiClient, facts: Facts) -> client.ApiClient:
    """Return a client with the rights of api and worker and no others."""
    return account_client(operator, facts.application, facts.account)


class Computers(Pods):
    """Computers, made and entered with Rakazo's rights; what explains a failure is read with the operator's."""

    def __init__(self, rakazo: client.ApiClient, operator: client.ApiClient, namespace: str) -> None:
        super().__init__(rakazo, namespace)
        self._watching = Pods(operator, namespace)

    def explain(self, name: str) -> str:
        """Return the pod's container states and events."""
        return self._watching.explain(name)

    def log(self, name: str) -> str:
        """Return what the pod's main container printed so far."""
        return self._watching.log(name)
