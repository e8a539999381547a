"""What must be reachable is asked for again; only a computer that never gets there fails the claim."""

import json
from collections.abc import Sequence

import pytest

from probes.claim import Evidence
from probes.claims import outgoing_allowed
from probes.prober import Ran
from probes.vantage import Vantage
from tests.unit.probes.example import facts

WELL, LATE = ["HTTP status 200", "connected"], ["timed out", "connected"]


class Heard:
    """A scene in which each vantage hears one answer after the other, and the last one again and again."""

    def __init__(self, **answers: Sequence[list[str]]) -> None:
        self._answers = {Vantage.COMPUTER: list(answers["computer"]), Vantage.CONTROL: list(answers["control"])}

    def execute(self, vantage: Vantage, _command: Sequence[str]) -> Ran:
        answers = self._answers[vantage]
        return Ran(exit_code=0, output=json.dumps(answers.pop(0) if len(answers) > 1 else answers[0]))


def looked(heard: Heard) -> list[Evidence]:
    (claim,) = (each for each in outgoing_allowed.claims(facts()) if each.id == "out-public-web")
    assert claim.look is not None
    return list(claim.look(heard))


def test_a_packet_that_was_lost_is_sent_again() -> None:
    evidence = looked(Heard(computer=[LATE, LATE, WELL], control=[WELL]))
    assert [(each.seen, each.holds) for each in evidence] == [("HTTP status 200", True), ("connected", True)]


def test_a_computer_that_never_gets_there_fails_the_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_allowed, "PATIENCE_SECONDS", 0.05)
    evidence = looked(Heard(computer=[LATE], control=[WELL]))
    assert [(each.seen, each.holds) for each in evidence] == [("timed out", False), ("connected", True)]


def test_nobody_is_asked_again_where_the_control_fails_too() -> None:
    evidence = looked(Heard(computer=[LATE, WELL], control=[LATE]))
    assert [(each.seen, each.holds) for each in evidence] == [("timed out", False), ("connected", True)]
