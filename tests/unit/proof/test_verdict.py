"""What `pulumi up` says about a verification, and when the way in may open."""

import datetime as dt

from components.proof.verdict import judge, unchecked
from probes.claim import Claim, Evidence, Group, Result
from probes.verification import Verification
from tests.unit.probes.example import facts


def result(key: str, *holds: bool | None, error: str = "") -> Result:
    claim = Claim(id=key, group=Group.OUT, sentence=f"{key}!", reason="r", method="m", control="c", remedy="Mend it.")
    evidence = tuple(Evidence(subject="a computer → x", seen="open", holds=each) for each in holds)
    return Result(claim=claim, evidence=evidence, error=error)


def run(*results: Result) -> Verification:
    return Verification(
        facts=facts(),
        results=results,
        began=dt.datetime.now(dt.UTC),
        seconds=61.4,
        server_version="v1.36.3",
        nodes=(),
        answers=(),
    )


def test_proven_and_unprovable_claims_open_the_way_in() -> None:
    verdict = judge(run(result("out-a", True), result("out-b", None)))
    assert verdict.holds
    assert "1 claims proven in 61 s, 1 not provable here" in verdict.text


def test_a_failure_is_named_with_cause_remedy_and_the_next_command() -> None:
    verdict = judge(run(result("out-a", True), result("out-b", False)))
    assert not verdict.holds
    for part in ("out-b (failed)", "a computer → x: open", "remedy: Mend it.", "rakazo-infra verify --only out-b"):
        assert part in verdict.text
    assert "out-a" not in verdict.text


def test_a_claim_that_could_not_be_checked_keeps_the_way_in_closed() -> None:
    """Nothing is known of it: that is no proof."""
    verdict = judge(run(result("out-a", True), result("out-b", error="the probe broke")))
    assert not verdict.holds
    assert "the probe broke" in verdict.text


def test_no_run_at_all_keeps_the_way_in_closed() -> None:
    verdict = unchecked("the kubeconfig does not exist")
    assert not verdict.holds
    assert "the kubeconfig does not exist" in verdict.text
    assert "pulumi up" in verdict.text
