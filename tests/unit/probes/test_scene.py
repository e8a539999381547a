"""How much room a verification has beside its own cast, and whose witness still counts. Pods run in the slow tiers."""

from typing import Any

import pytest
from kubernetes import client

from probes import scene as scenes
from probes.cast import NAMES
from probes.claim import Claim, Group, State
from probes.pods import PodError
from probes.scene import Scene
from probes.surroundings import Surroundings
from probes.vantage import Vantage
from probes.verification import look
from tests.unit.probes.example import around, changed


class Quiet(Scene):
    """Starts whom it is told to, without a cluster."""

    living = 0

    def start(self) -> None:
        """Start the cast, whose Service and policy nobody reads."""
        self.began: list[Vantage] = []
        super().start()

    def _start(self, vantage: Vantage) -> bool:
        self.began.append(vantage)
        return False

    def _serve_control(self) -> None:
        pass

    def _let_the_stray_out(self) -> None:
        pass

    def _living_computers(self) -> int:
        return self.living


def scene(monkeypatch: pytest.MonkeyPatch, *, maximum: int, living: int) -> Quiet:
    monkeypatch.setattr(scenes, "rakazo_client", lambda *_: client.ApiClient())
    service = client.V1Service(spec=client.V1ServiceSpec(cluster_ip="10.43.0.99"))
    monkeypatch.setattr(client.CoreV1Api, "read_namespaced_service", lambda *_: service)
    monkeypatch.setattr(Quiet, "living", living)
    return Quiet(client.ApiClient(), changed(maximum=maximum), around(), "0badc0de")


@pytest.mark.parametrize(("maximum", "living"), [(10, 8), (10, 9), (2, 0), (1, 0)])
def test_where_the_cast_takes_the_last_place_nobody_waits_for_another(
    monkeypatch: pytest.MonkeyPatch, maximum: int, living: int
) -> None:
    """It would wait for ever: the cast stays until the end."""
    tried = scene(monkeypatch, maximum=maximum, living=living)
    tried.start()
    with (
        pytest.raises(PodError, match=f"{living} of the {maximum} computers .* room for 3.*delete pod NAME"),
        tried.room(),
    ):
        pytest.fail("there is no room")


def test_a_claim_that_needs_room_then_is_unchecked_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = scene(monkeypatch, maximum=10, living=8)
    tried.start()

    def needs(told: Scene) -> Any:
        with told.room():
            yield pytest.fail("there is no room")

    claim = Claim(
        id="limits-x", group=Group.LIMITS, sentence="s", reason="r", method="m", control="c", remedy="d", look=needs
    )
    found = look(tried, claim)
    assert found.state is State.UNCHECKED
    assert "computers.maximum" in found.cause


def test_the_last_place_is_for_the_computer_that_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = scene(monkeypatch, maximum=10, living=9)
    tried.start()
    assert Vantage.COMPUTER in tried.began
    assert Vantage.NEIGHBOUR not in tried.began
    assert "9 of the 10 computers" in tried.missing[Vantage.NEIGHBOUR]


def test_without_any_place_nothing_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = scene(monkeypatch, maximum=10, living=10)
    with pytest.raises(PodError, match="10 of the 10 computers"):
        tried.start()
    assert tried.began == []


def test_what_the_cast_leaves_is_room_for_all_of_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = scene(monkeypatch, maximum=10, living=6)
    tried.start()
    assert set(tried.began) == set(NAMES)
    with tried.room(), tried.room():
        assert not tried._room.acquire(blocking=False)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({}, set()),
        ({"web": "rakazo-web-2"}, {"10.42.0.7", "10.43.0.22"}),
        ({"web": None}, {"10.42.0.7", "10.43.0.22"}),
    ],
    ids=["the same pods", "another pod", "none is ready"],
)
def test_a_service_whose_pod_changed_has_no_witness_any_more(
    monkeypatch: pytest.MonkeyPatch, names: dict[str, str | None], expected: set[str]
) -> None:
    now = {name: pod for name, pod in {**around().names, **names}.items() if pod}
    monkeypatch.setattr(scenes, "ready_pods", lambda *_: now)
    assert scene(monkeypatch, maximum=10, living=0).unwitnessed() == expected


def test_a_service_that_was_never_ready_has_none_either(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = scene(monkeypatch, maximum=10, living=0)
    names = {name: pod for name, pod in around().names.items() if name != "web"}
    tried.around = Surroundings(names=names, services=around().services)
    monkeypatch.setattr(scenes, "ready_pods", lambda *_: around().names)
    assert tried.unwitnessed() == {"10.43.0.22"}
