"""How a survey becomes results. Whole runs are in the slow tiers."""

import json
import threading
from typing import Any

import pytest

from probes.claim import Claim, Group, State
from probes.crossing import Crossing
from probes.prober import ProbeError, Ran
from probes.reach import Destination
from probes.vantage import Vantage
from probes.verification import prove

WEB = Destination(name="web", address="192.0.2.1", port=80)
CLAIM = Claim(
    id="out-web",
    group=Group.OUT,
    sentence="s",
    reason="r",
    method="m",
    control="c",
    remedy="d",
    crossings=(Crossing(source=Vantage.COMPUTER, target=WEB, open=False, witness="its readiness probe: ready"),),
)


class Scene:
    """Nothing answers a computer."""

    missing: dict[Vantage, str] = {}  # noqa: RUF012 - nobody changes it
    closing = threading.Event()

    def __init__(self, word: str, gone: frozenset[str] | ProbeError) -> None:
        self._word, self._gone = word, gone

    def execute(self, _vantage: Vantage, _command: list[str], _seconds: int = 60) -> Ran:
        """Answer for the one destination."""
        return Ran(exit_code=0, output=json.dumps([self._word]))

    def unwitnessed(self) -> frozenset[str]:
        """Return where the pod is another one after the survey, or fail to find out."""
        if isinstance(self._gone, ProbeError):
            raise self._gone
        return self._gone


@pytest.mark.parametrize(
    ("word", "gone", "state"),
    [
        ("silent", frozenset[str](), State.PROVEN),
        ("silent", frozenset({WEB.address}), State.UNCHECKED),
        ("open", frozenset({WEB.address}), State.FAILED),
        ("broken", frozenset[str](), State.UNCHECKED),
    ],
)
def test_closed_is_proven_only_while_the_witness_stands_and_the_probe_works(
    word: str, gone: frozenset[str], state: State
) -> None:
    scene: Any = Scene(word, gone)
    ((result,), _) = prove(scene, [CLAIM])
    assert result.state is state


@pytest.mark.parametrize(
    ("gone", "why"),
    [
        (frozenset({WEB.address}), "web: its pod changed during the run, or was not ready when it began"),
        (ProbeError("no answer"), "web: whether its pod is still the same could not be asked: no answer"),
    ],
)
def test_a_claim_whose_witness_is_lost_says_why(gone: frozenset[str] | ProbeError, why: str) -> None:
    scene: Any = Scene("silent", gone)
    ((result,), _) = prove(scene, [CLAIM])
    assert (result.state, result.cause) == (State.UNCHECKED, why)


def test_what_was_open_fails_also_when_the_last_look_breaks() -> None:
    scene: Any = Scene("open", ProbeError("no answer"))
    ((result,), answers) = prove(scene, [CLAIM])
    assert result.state is State.FAILED
    assert list(answers.values()) == ["open"]
