"""How the installer ends: it takes gVisor away when the cluster says so, and else leaves it to the next pod."""

from pathlib import Path

import pytest

from components.runtimes.installer.node import api, install
from tests.unit.installer.test_configuration import SECOND
from tests.unit.installer.test_node import Place


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("NAMESPACE", "rakazo-nodes")
    monkeypatch.setenv("DAEMON_SET", "node-installer")
    made = Place(tmp_path, SECOND)
    made.node().converge()
    return made


def test_a_pod_that_is_only_replaced_leaves_gvisor_where_it_is(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade, a drain and an eviction end pods too."""
    monkeypatch.setattr(api, "is_leaving", lambda *_: False)
    install._end(place.node())
    assert "runsc" in place.configuration.read_text()
    assert len(place.started_with) == 1


def test_a_daemon_set_that_goes_takes_gvisor_with_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def is_leaving(namespace: str, name: str) -> bool:
        asked.append((namespace, name))
        return True

    monkeypatch.setattr(api, "is_leaving", is_leaving)
    install._end(place.node())
    assert place.configuration.read_text() == SECOND
    assert asked == [("rakazo-nodes", "node-installer")]


def test_an_api_that_answers_late_is_asked_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked once only, a node kept gVisor after a destroy."""
    answers: list[Exception | bool] = [True, OSError("cut off"), api.ApiError("the API does not answer: timed out")]

    def is_leaving(*_: str) -> bool:
        answer = answers.pop()
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(api, "is_leaving", is_leaving)
    monkeypatch.setattr(install, "RETRY_SECONDS", 0.0)
    install._end(place.node())
    assert place.configuration.read_text() == SECOND


def test_when_nobody_knows_gvisor_stays(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A node without a way to the API is more likely cut off than abandoned."""

    def unknown(*_: str) -> bool:
        raise api.ApiError("the API at 10.43.0.1:443 does not answer")

    monkeypatch.setattr(api, "is_leaving", unknown)
    monkeypatch.setattr(install, "ANSWER_SECONDS", 0.0)
    install._end(place.node())
    assert "runsc" in place.configuration.read_text()
    assert "gVisor stays: whether it is to go is not known: the API" in capsys.readouterr().out


def test_what_could_not_be_taken_away_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "is_leaving", lambda *_: True)
    place.fails = True
    with pytest.raises(SystemExit, match="gVisor could not be taken away: containerd"):
        install._end(place.node())
