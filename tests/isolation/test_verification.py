"""All claims about a good stack hold, seen by the same code that users run; broken ones are in test_variants.py."""

import pytest

from probes.claim import State
from probes.verification import Verification, verify
from tests.deployments import Deployed, facts_of
from tests.isolation.leftovers import leftovers

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
    "secrets-state",  # the state is the command line's to give: test_verify_command.py
}
"""Claims that cannot be proven on the embedded cluster; everything else has to be."""


@pytest.fixture(scope="module")
def found(deployed: Deployed) -> Verification:
    return verify(deployed.api, facts_of(deployed), tell=print)


def test_every_claim_is_proven_or_known_to_be_unprovable_here(found: Verification) -> None:
    wrong = {result.claim.id: result.cause for result in (*found.failed, *found.unchecked)}
    assert wrong == {}
    assert {result.claim.id for result in found.of_state(State.UNPROVABLE)} == NOT_HERE


def test_each_proven_denial_shows_who_got_through(found: Verification) -> None:
    """B084: a denial without a control is a guess."""
    denials = [
        (result.claim.id, evidence)
        for result in found.results
        if result.claim.crossings and result.state is State.PROVEN
        for evidence in result.evidence
        if evidence.holds and evidence.seen != "open"
    ]
    assert len(denials) > 50
    assert [(key, each) for key, each in denials if not each.control] == []
    unsupported = [(key, each) for key, each in denials if not each.control.endswith((": open", "ready."))]
    assert unsupported == []


def test_nothing_is_left_behind(deployed: Deployed, found: Verification) -> None:
    assert leftovers(deployed) == []
