"""All claims about a good stack hold, seen by the command that users run, with the rights that it prints and no others.

Broken stacks are in test_variants.py.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.account import account_client
from probes.operator_rights import NAME, cluster_role
from probes.verification import verify
from tests.deployments import Deployed, facts_of
from tests.isolation.command import verified
from tests.isolation.conftest import OUTSIDER
from tests.isolation.leftovers import leftovers

ACCOUNT = "verifier"
NOT_HERE = {
    "out-range-127.0.0.0/8",  # no other host can have such an address
    "out-range-224.0.0.0/4",
    "out-node-kubelet-read-only",  # nothing of the embedded nodes listens there
    "out-node-ssh",
    "out-node-container-runtime",
    "out-node-etcd",
    "out-node-kube-proxy",
    "out-api-server-public",  # the kubeconfig's address is this machine's loopback
    "limits-processes",  # gVisor keeps processes to itself
}
"""Claims that cannot be proven on the embedded cluster; everything else has to be."""


@pytest.fixture(scope="module")
def verifier(deployed: Deployed, outsiders: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The kubeconfig of an account that has exactly the rights which `--rights` prints."""
    core, rbac = client.CoreV1Api(deployed.api), client.RbacAuthorizationV1Api(deployed.api)
    core.create_namespaced_service_account(OUTSIDER, {"metadata": {"name": ACCOUNT}})
    rbac.create_cluster_role(cluster_role())
    subject = {"kind": "ServiceAccount", "name": ACCOUNT, "namespace": OUTSIDER}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": NAME}
    rbac.create_cluster_role_binding({"metadata": {"name": NAME}, "roleRef": role, "subjects": [subject]})
    written = yaml.safe_load(deployed.deployment.folder.kubeconfig.read_text(encoding="utf-8"))
    bearer = account_client(deployed.api, OUTSIDER, ACCOUNT).configuration.api_key["authorization"]
    for user in written["users"]:
        user["user"] = {"token": bearer.removeprefix("Bearer ")}
    path = tmp_path_factory.mktemp("verifier") / "kubeconfig"
    path.write_text(yaml.safe_dump(written), encoding="utf-8")
    yield path
    rbac.delete_cluster_role_binding(NAME)
    rbac.delete_cluster_role(NAME)
    core.delete_namespaced_service_account(ACCOUNT, OUTSIDER)


@pytest.fixture(scope="module")
def found(deployed: Deployed, verifier: Path) -> dict[str, dict[str, Any]]:
    """Every claim's result by its id."""
    done = verified(deployed, "--json", "--kubeconfig", str(verifier))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return {claim["id"]: claim for claim in json.loads(done.stdout)["claims"]}


def test_every_claim_is_proven_or_known_to_be_unprovable_here(found: dict[str, dict[str, Any]]) -> None:
    """Also that no secret is in the stack's state, which only the command line can give."""
    assert {claim["state"] for claim in found.values()} == {"proven", "unprovable"}
    assert {key for key, claim in found.items() if claim["state"] == "unprovable"} == NOT_HERE
    assert [key for key, claim in found.items() if claim["state"] == "proven" and not claim["evidence"]] == []


def test_each_proven_denial_shows_who_got_through(found: dict[str, dict[str, Any]]) -> None:
    """B084: a denial without a control is a guess."""
    denials = [
        (key, evidence)
        for key, claim in found.items()
        if claim["group"] in ("out", "in") and claim["state"] == "proven"
        for evidence in claim["evidence"]
        if evidence["address"] and evidence["holds"] and evidence["seen"] != "open"
    ]
    assert len(denials) > 50
    assert [(key, each) for key, each in denials if not each["control"]] == []
    unsupported = [(key, each) for key, each in denials if not each["control"].endswith((": open", "ready."))]
    assert unsupported == []


@pytest.mark.usefixtures("found")
def test_nothing_is_left_behind(deployed: Deployed) -> None:
    assert leftovers(deployed) == []


@pytest.mark.usefixtures("verifier")
def test_without_rights_it_ends_before_anything_is_made(deployed: Deployed) -> None:
    """The twin of the account with the printed rights: one without gets nowhere."""
    nobody = account_client(deployed.api, OUTSIDER, "default")
    with pytest.raises(ApiException, match="forbidden"):
        verify(nobody, facts_of(deployed))
    assert leftovers(deployed) == []
