"""The catalogue of pods that admission must refuse; that it does is proven against a real API server."""

import copy

import pytest

from components.rakazo.startup_wait import CONTAINER
from probes import cast
from probes.bad_pods import BAD_PODS, BESIDE, KINDS, WAIT, WAIT_CONTAINER
from probes.claims.admission import PODS, REASONS
from probes.claims.admission_verdict import filled
from tests.unit.example import example
from tests.unit.probes.example import facts


def rendered() -> list[str]:
    policy = example().only("ValidatingAdmissionPolicy", name="rakazo-computers")
    return [rule["message"] for rule in policy.inputs["spec"]["validations"]]


@pytest.mark.parametrize("case", BAD_PODS)
def test_a_bad_pod_differs_from_a_good_one_and_leaves_it_alone(case: str) -> None:
    """One that is good would be accepted and prove nothing; one that spoils the good one would spoil its control."""
    good = cast.computer(facts(), "good", "run")
    before, pod = copy.deepcopy(good), cast.computer(facts(), "good", "run")
    BAD_PODS[case].spoil(pod)
    assert pod != before
    assert good == before


def test_every_rule_that_the_stack_renders_has_a_bad_pod_or_a_claim_beside_them() -> None:
    """B047: a rule that nobody probes cannot exist, and neither can a sentence that no rule says."""
    sentences = {filled(message, facts()) for message in (*BESIDE, *(bad.message for bad in BAD_PODS.values()))}
    assert sentences == set(rendered())


def test_every_kind_of_rule_has_words_for_its_claim() -> None:
    assert set(PODS) == set(REASONS) == set(KINDS)


def test_no_case_is_lost_between_the_kinds() -> None:
    """Two kinds with a case of the same name would hide one of them."""
    assert sum(map(len, KINDS.values())) == len(BAD_PODS) == 37


def test_the_wait_is_called_as_the_stack_calls_it() -> None:
    assert WAIT_CONTAINER == CONTAINER
    assert WAIT_CONTAINER in WAIT
