"""The order of a run: names first, then the machine, then a look around, the cast, and the claims that fit both."""

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from probes.claim import Claim
from probes.docker import verification as of_verification
from probes.docker.containers import Containers
from probes.docker.facts import DockerFacts
from probes.docker.runner import Did
from probes.docker.scene import DockerScene
from probes.docker.surroundings import Around
from probes.docker.verification import verify_docker
from probes.prober import Ran
from probes.vantage import Vantage
from tests.unit.probes.docker.engine import Engine
from tests.unit.probes.docker.example import around, facts

IPV6 = next(f"out-range-{text}" for text in facts().denied_ranges if ":" in text)
BOTH = ("10.189.10.2", "fd00:1::2")


class Play:
    """A run without containers: who was asked what, and which claims were to be proven."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.addresses: tuple[str, ...] = ("10.189.10.2",)
        """Of the computer, once it runs."""
        self.claims: list[str] = []
        self.ends: BaseException | None = None
        """How the proving ends."""

    def look_around(self, containers: Containers, _facts: DockerFacts) -> Around:
        assert self.engine.lease.exists(), "what is seen before the machine is ours may be long gone when it is"
        containers.names("label=any")
        return around(cast={})

    def start(self, scene: DockerScene) -> None:
        scene.around = dataclasses.replace(scene.around, cast={Vantage.COMPUTER: self.addresses})
        self.engine.perform(scene.run_id)

    def prove(self, _scene: DockerScene, claims: Iterable[Claim], _tell: Any) -> tuple[list[Any], dict[Any, Any]]:
        self.claims = [claim.id for claim in claims]
        if self.ends:
            raise self.ends
        return [], {}


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    made = Play(Engine(tmp_path))
    monkeypatch.setattr(of_verification, "look_around", made.look_around)
    monkeypatch.setattr(of_verification, "prove", made.prove)

    def start(scene: DockerScene) -> None:
        made.start(scene)

    monkeypatch.setattr(DockerScene, "start", start)
    return made


def test_ranges_of_ipv6_are_proven_where_computers_turn_out_to_have_it(play: Play) -> None:
    """A Docker that was there before may give IPv6 to every network; that is seen when the first computer runs."""
    play.addresses = BOTH
    verify_docker(play.engine, facts())
    assert {f"out-range-{text}" for text in facts().denied_ranges} <= set(play.claims)
    assert "out-metadata-aws-ipv6" in play.claims


def test_ranges_of_ipv6_are_left_out_where_computers_have_none(play: Play) -> None:
    verify_docker(play.engine, facts())
    assert [each for each in play.claims if each.startswith("out-range-") and each.count(":")] == []


def test_a_claim_about_ipv6_alone_may_be_chosen(play: Play) -> None:
    play.addresses = BOTH
    verify_docker(play.engine, facts(), only=[IPV6])
    assert play.claims == [IPV6]


def test_a_claim_that_this_machine_has_not_is_no_silent_success(play: Play) -> None:
    with pytest.raises(ValueError, match=IPV6):
        verify_docker(play.engine, facts(), only=[IPV6])
    assert play.engine.containers == {}


def test_an_unknown_name_is_refused_before_the_machine_is_asked(play: Play) -> None:
    with pytest.raises(ValueError, match="out-nowhere"):
        verify_docker(play.engine, facts(), only=["out-nowhere"])
    assert play.engine.asked == []


def test_an_interruption_leaves_nothing_behind(play: Play) -> None:
    play.ends = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        verify_docker(play.engine, facts())
    assert (play.engine.containers, play.engine.networks) == ({}, {})
    assert not play.engine.lease.exists()


class Saying:
    """A machine that always says the same."""

    def __init__(self, did: Did) -> None:
        self.did = did

    def run(self, *_command: object, **_how: object) -> Did:
        return self.did


@pytest.mark.parametrize(("code", "output"), [(0, "6.1.0\n"), (1, "6.1.0\nsudo: unable to resolve host box\n")])
def test_of_a_success_on_the_machine_only_its_output_counts(code: int, output: str) -> None:
    """A user who is not root has sudo complain at every command of a machine that does not know its own name."""
    did = Did(exit_code=code, output="6.1.0\n", errors="sudo: unable to resolve host box\n")
    scene = DockerScene(Containers(Saying(did)), facts(), around(), "0badc0de")
    assert scene.execute(Vantage.MACHINE, ["uname", "-r"]) == Ran(exit_code=code, output=output)


def test_a_gateway_is_an_address_whatever_docker_adds_to_it() -> None:
    """Some releases say how long the prefix is, of IPv6 alone."""
    networks = [
        {"IPAM": {"Config": [{"Gateway": "10.189.10.1"}, {"Gateway": "fd00:1::1/64"}, {"Subnet": "fd00::/64"}]}}
    ]
    did = Did(exit_code=0, output=json.dumps(networks), errors="")
    scene = DockerScene(Containers(Saying(did)), facts(), around(), "0badc0de")
    assert scene._gateways() == ("10.189.10.1", "fd00:1::1")
