"""A verification needs the rights that it prints, and no more: it is run by an account that has exactly those."""

from collections.abc import Iterator

import pytest
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.account import account_client
from probes.operator_rights import NAME, cluster_role
from probes.verification import verify
from tests.deployments import Deployed, facts_of
from tests.isolation.conftest import OUTSIDER

ACCOUNT = "verifier"


@pytest.fixture
def verifier(deployed: Deployed, outsiders: object) -> Iterator[client.ApiClient]:
    """A client with the printed rights."""
    core, rbac = client.CoreV1Api(deployed.api), client.RbacAuthorizationV1Api(deployed.api)
    core.create_namespaced_service_account(OUTSIDER, {"metadata": {"name": ACCOUNT}})
    rbac.create_cluster_role(cluster_role())
    subject = {"kind": "ServiceAccount", "name": ACCOUNT, "namespace": OUTSIDER}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": NAME}
    rbac.create_cluster_role_binding({"metadata": {"name": NAME}, "roleRef": role, "subjects": [subject]})
    yield account_client(deployed.api, OUTSIDER, ACCOUNT)
    rbac.delete_cluster_role_binding(NAME)
    rbac.delete_cluster_role(NAME)
    core.delete_namespaced_service_account(ACCOUNT, OUTSIDER)


def test_everything_is_proven_with_the_printed_rights(deployed: Deployed, verifier: client.ApiClient) -> None:
    found = verify(verifier, facts_of(deployed))
    wrong = {result.claim.id: result.cause for result in (*found.failed, *found.unchecked)}
    assert wrong == {}


@pytest.mark.usefixtures("verifier")
def test_without_them_it_ends_before_anything_is_made(deployed: Deployed) -> None:
    """The twin: an account without rights gets nowhere."""
    nobody = account_client(deployed.api, OUTSIDER, "default")
    with pytest.raises(ApiException, match="forbidden"):
        verify(nobody, facts_of(deployed))
