"""That who must not get through is asked as often as who shows that there is a way."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from probes.crossing import Crossing
from probes.prober import ProbeError, Ran
from probes.reach import BROKEN, Answer, Destination
from probes.survey import survey
from probes.vantage import Vantage

WEB = Destination(name="web", address="192.0.2.1", port=80)
DENIAL = Crossing(source=Vantage.COMPUTER, target=WEB, open=False, control=Vantage.CONTROL)


class Scene:
    """Gives each vantage the next of its answers, and the last one from then on."""

    missing: dict[Vantage, str] = {}  # noqa: RUF012 - nobody changes it

    def __init__(self, computer: Iterable[str], control: Iterable[str]) -> None:
        self.left = {Vantage.COMPUTER: list(computer), Vantage.CONTROL: list(control)}
        self.asked: list[Vantage] = []

    def execute(self, vantage: Vantage, _command: list[str], _seconds: int = 60) -> Ran:
        """Answer for the one destination."""
        self.asked.append(vantage)
        left = self.left[vantage]
        return Ran(exit_code=0, output=json.dumps([left.pop(0) if len(left) > 1 else left[0]]))


def surveyed(scene: Any) -> Answer:
    found = survey(scene, [DENIAL])
    assert found[Vantage.CONTROL, WEB] is Answer.OPEN
    return found[Vantage.COMPUTER, WEB]


def test_who_was_closed_before_anybody_got_through_is_tried_again() -> None:
    """The network let in nobody yet: that looks like a policy."""
    scene = Scene([Answer.SILENT, Answer.OPEN], [Answer.SILENT, Answer.OPEN])
    assert surveyed(scene) is Answer.OPEN


def test_closed_twice_is_closed() -> None:
    scene = Scene([Answer.SILENT, Answer.REFUSED], [Answer.SILENT, Answer.OPEN])
    assert surveyed(scene) is Answer.REFUSED
    assert scene.asked.count(Vantage.COMPUTER) == 2


def test_open_once_stays_open() -> None:
    scene = Scene([Answer.OPEN, Answer.SILENT], [Answer.SILENT, Answer.OPEN])
    assert surveyed(scene) is Answer.OPEN


def test_who_was_tried_when_the_way_was_open_is_not_tried_again() -> None:
    scene = Scene([Answer.SILENT], [Answer.OPEN])
    assert surveyed(scene) is Answer.SILENT
    assert scene.asked.count(Vantage.COMPUTER) == 1


def test_who_could_not_try_for_a_moment_is_asked_once_more() -> None:
    scene = Scene([BROKEN, Answer.SILENT], [Answer.OPEN])
    assert surveyed(scene) is Answer.SILENT
    assert scene.asked.count(Vantage.COMPUTER) == 2


def test_who_cannot_try_twice_breaks_the_survey() -> None:
    scene = Scene([BROKEN, BROKEN, Answer.SILENT], [Answer.OPEN])
    with pytest.raises(ProbeError, match="no process, memory or open file was left"):
        surveyed(scene)
