"""What answers mean for a claim: a closed door is proven by somebody who gets through it."""

import pytest

from probes.crossing import Crossing
from probes.reach import Answer, Destination
from probes.vantage import Vantage

WEB = Destination(name="web", address="192.0.2.1", port=80)
DENIAL = Crossing(source=Vantage.COMPUTER, target=WEB, open=False, control=Vantage.CONTROL)


def seen(answer: Answer, control: Answer) -> dict[tuple[Vantage, Destination], Answer]:
    return {(Vantage.COMPUTER, WEB): answer, (Vantage.CONTROL, WEB): control}


@pytest.mark.parametrize("answer", [Answer.REFUSED, Answer.SILENT, Answer.UNREACHABLE])
def test_a_closed_door_is_proven_when_the_control_gets_through(answer: Answer) -> None:
    judged = DENIAL.judge(seen(answer, Answer.OPEN))
    assert judged.holds is True
    assert judged.control == "a pod without policies: open"


@pytest.mark.parametrize("control", [Answer.REFUSED, Answer.SILENT, Answer.UNREACHABLE])
def test_a_door_that_nobody_gets_through_proves_nothing(control: Answer) -> None:
    """B084: an absent listener looks exactly like a policy."""
    assert DENIAL.judge(seen(Answer.SILENT, control)).holds is None


@pytest.mark.parametrize("control", list(Answer))
def test_an_open_door_fails_whatever_the_control_says(control: Answer) -> None:
    judged = DENIAL.judge(seen(Answer.OPEN, control))
    assert judged.holds is False
    assert judged.seen == "open, and must be closed"


@pytest.mark.parametrize("answer", list(Answer))
def test_what_must_be_open_holds_when_it_is(answer: Answer) -> None:
    judged = Crossing(source=Vantage.API, target=WEB, open=True).judge({(Vantage.API, WEB): answer})
    assert judged.holds is (answer is Answer.OPEN)


def test_a_vantage_that_is_missing_proves_nothing() -> None:
    assert DENIAL.judge({}).holds is None
    assert Crossing(source=Vantage.API, target=WEB, open=True).judge({}).holds is None


def test_a_denial_without_a_control_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="nothing says that somebody can"):
        Crossing(source=Vantage.COMPUTER, target=WEB, open=False)


def test_a_witness_of_a_pod_that_is_not_there_any_more_proves_nothing() -> None:
    """Web moved during the survey: at its old address nobody answers, whatever the policy says."""
    crossing = Crossing(source=Vantage.COMPUTER, target=WEB, open=False, witness="its readiness probe: ready")
    silent, opened = ({(Vantage.COMPUTER, WEB): answer} for answer in (Answer.SILENT, Answer.OPEN))
    lost = crossing.judge(silent, {WEB.address: "its pod changed"})
    assert (lost.holds, lost.control) == (None, "its pod changed")
    assert crossing.judge(silent, {"192.0.2.9": "its pod changed"}).holds is True
    assert crossing.judge(opened, {WEB.address: "its pod changed"}).holds is False
    assert DENIAL.judge(seen(Answer.SILENT, Answer.OPEN), {WEB.address: "its pod changed"}).holds is True


def test_a_witness_is_a_control() -> None:
    crossing = Crossing(source=Vantage.COMPUTER, target=WEB, open=False, witness="its readiness probe: ready")
    judged = crossing.judge({(Vantage.COMPUTER, WEB): Answer.SILENT})
    assert (judged.holds, judged.control) == (True, "its readiness probe: ready")
