"""What the API server's answers mean; the sentences of the cluster's own are those of Kubernetes 1.36."""

import pytest

from probes.bad_pods import WAIT as MISSING
from probes.claims.admission_good import first, limited, refused, tolerates, unwaiting
from probes.claims.admission_verdict import denial, verdict

POLICY, RULE = "rakazo-computers", "a computer must not be privileged"
OURS = f'pods "bad" is forbidden: {denial(POLICY, RULE)}'
POD_SECURITY = 'pods "bad" is forbidden: violates PodSecurity "baseline:latest": privileged (container "computer" …)'
NO_ACCOUNT = 'pods "bad" is forbidden: error looking up service account computers/stranger: not found'
WAIT = {"name": "network-policy-wait", "image": "computer@sha256:1", "command": ["wait"]}


@pytest.mark.parametrize(
    ("answer", "holds", "seen"),
    [
        (None, False, "accepted, and must be refused"),
        (OURS, True, f"refused by rakazo-computers: {RULE}"),
        (POD_SECURITY, True, 'refused by Pod Security, "baseline:latest": privileged (container "computer" …)'),
        (
            'pods "bad" is forbidden: exceeded quota: computers, requested: pods=1, used: pods=3, limited: pods=3',
            False,
            "no rule refused it, only the quota, which is full",
        ),
        (NO_ACCOUNT, None, f"refused for another reason: {NO_ACCOUNT}"),
    ],
)
def test_an_answer_to_a_bad_pod(answer: str | None, holds: bool | None, seen: str) -> None:
    """The quota is asked last, so what it refuses has passed every rule; the account is asked for first."""
    evidence = verdict("a bad pod", answer, POLICY, RULE, "the same pod without it: accepted")
    assert (evidence.holds, evidence.seen) == (holds, seen)


@pytest.mark.parametrize(
    "answer",
    [
        f'pods "bad" is forbidden: {denial(POLICY, "another sentence")}',
        f'pods "bad" is forbidden: {denial("rakazo-connections", RULE)}',
        f"{OURS} and something else",
    ],
)
def test_only_the_sentence_that_the_pod_has_earned_counts(answer: str) -> None:
    """A policy that refuses everything refuses bad pods too, and proves nothing about its rules."""
    assert verdict("a bad pod", answer, POLICY, RULE, "").holds is None


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [("exceeded quota: computers, used: pods=3", None), ("failed quota: computers: must specify limits.cpu", False)],
)
def test_a_refused_good_pod_fails_unless_there_is_no_room(sentence: str, holds: bool | None) -> None:
    evidence = refused("Rakazo's own pod", sentence)
    assert evidence.holds is holds
    assert ("computers.maximum" in evidence.seen) is (holds is None)


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [(denial(POLICY, MISSING), False), ("failed quota: computers: must specify limits.cpu", None)],
)
def test_a_refusal_speaks_of_the_wait_or_says_nothing_about_it(sentence: str, holds: bool | None) -> None:
    assert unwaiting("a new computer", sentence).holds is holds


@pytest.mark.parametrize(
    ("containers", "holds", "seen"),
    [
        ([WAIT], True, "init containers: network-policy-wait"),
        ([WAIT, {"name": "first-steps"}], True, "init containers: network-policy-wait, first-steps"),
        ([{"name": "first-steps"}, WAIT], False, "init containers: first-steps, network-policy-wait"),
        ([], False, "init containers: none"),
        ([{**WAIT, "image": "other"}], False, "init containers: network-policy-wait, of other"),
        ([{**WAIT, "command": []}], False, "init containers: network-policy-wait, of computer@sha256:1"),
    ],
)
def test_the_wait_comes_first_and_is_a_program(containers: list[dict[str, object]], holds: bool, seen: str) -> None:
    """B066."""
    evidence = first("a new computer", containers, "computer@sha256:1")
    assert (evidence.holds, evidence.seen) == (holds, seen)


@pytest.mark.parametrize(
    ("limits", "holds"),
    [
        ({"cpu": "2", "memory": "2048Mi", "ephemeral-storage": "5Gi"}, True),
        ({"cpu": "2", "memory": "4Gi", "ephemeral-storage": "5Gi"}, False),
        ({"cpu": "2", "memory": "2Gi"}, False),
        ({}, False),
    ],
)
def test_a_computer_has_every_limit_and_the_stacks_memory(limits: dict[str, str], holds: bool) -> None:
    assert limited({"limits": limits}, "2Gi").holds is holds


@pytest.mark.parametrize(
    ("toleration", "holds"),
    [
        ({"key": "rakazo-infra/pool", "operator": "Equal", "value": "computers"}, True),
        ({"key": "rakazo-infra/pool", "operator": "Exists"}, True),
        ({"key": "rakazo-infra/pool", "value": "system"}, False),
        ({"key": "node.kubernetes.io/not-ready", "operator": "Exists"}, False),
    ],
)
def test_a_computer_tolerates_its_nodes(toleration: dict[str, str], holds: bool) -> None:
    assert tolerates([toleration], {"rakazo-infra/pool": "computers"}).holds is holds


def test_nodes_without_taints_need_no_toleration() -> None:
    assert tolerates([], {}).seen == "none is needed"
