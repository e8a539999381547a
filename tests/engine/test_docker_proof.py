"""Every claim about a machine with Docker, on a whole machine with real containers; and broken variants of it.

Images are the stand-in's and the way to the machine is not SSH, which test_docker_target has. The tests are one life
of the machine, in their order.
"""

import dataclasses
import time
from collections.abc import Iterator

import pytest

from probes.claim import Result, State, chosen
from probes.docker.claims import every_claim
from probes.docker.containers import Containers
from probes.docker.scene import DockerScene
from probes.docker.stage import Stage
from probes.docker.surroundings import look_around
from probes.docker.verification import verify_docker
from probes.verification import Verification, prove
from tests.docker_host import DockerHost, docker_host
from tests.docker_proof.host_runner import HostRunner, facts
from tests.docker_proof.variants import DOCKER_VARIANTS

pytestmark = pytest.mark.timeout(1800)
SECONDS = 40.0
FOLDER = ".test-docker-proof"
NOT_HERE = {"limits-disk", "secrets-state", "identity-computers", "out-range-127.0.0.0/8"} | {"out-range-224.0.0.0/4"}
"""Claims that cannot be proven here: Docker limits no disk, there is no stack, no computer runs before the first is
made, and nobody listens in two ranges."""


@pytest.fixture(scope="module")
def host() -> Iterator[DockerHost]:
    with docker_host(FOLDER) as made:
        made.up()
        yield made


@pytest.fixture(scope="module")
def found(host: DockerHost) -> Verification:
    runner = HostRunner(host)
    return verify_docker(runner, facts(host), tell=print, outside=runner.outside)


def failing(results: list[Result] | tuple[Result, ...]) -> dict[str, str]:
    return {each.claim.id: each.cause for each in results if each.state in (State.FAILED, State.UNCHECKED)}


def test_every_claim_holds_and_what_is_not_provable_is_known(found: Verification) -> None:
    assert failing(found.results) == {}
    assert {each.claim.id for each in found.of_state(State.UNPROVABLE)} == NOT_HERE
    print(f"{len(found.of_state(State.PROVEN))} claims proven in {found.seconds:.1f} s")


def test_nothing_is_left_behind(host: DockerHost, found: Verification) -> None:
    label = "label=rakazo-infra/verify"
    assert host.docker("ps", "--all", "--quiet", "--filter", label) == ""
    assert host.docker("network", "ls", "--quiet", "--filter", label) == ""
    assert host.docker("ps", "--all", "--quiet", "--filter", "name=rakazo-bot-") == ""
    assert host.machine.run(["ls", "/run"]).stdout.count("rakazo-verify\n") == 0


@pytest.fixture(scope="module")
def scene(host: DockerHost, found: Verification) -> Iterator[DockerScene]:
    """A verification's containers, kept for many looks; what is broken meanwhile nobody mends."""
    containers, known = Containers(HostRunner(host)), facts(host)
    with host.unwatched(), Stage(containers, "0badc0de", print):
        around = look_around(containers, known)
        made = DockerScene(containers, known, around, "0badc0de", outside=HostRunner(host).outside)
        made.start()
        assert made.missing == {}
        yield made


def looked(scene: DockerScene, looks: tuple[str, ...]) -> list[Result]:
    around = look_around(scene.containers, scene.facts)
    scene.around = dataclasses.replace(around, cast=scene.around.cast, gateways=scene.around.gateways)
    return prove(scene, chosen(every_claim(scene.facts, scene.around), looks))[0]


@pytest.mark.parametrize("name", DOCKER_VARIANTS)
def test_a_broken_variant_fails_as_named(host: DockerHost, scene: DockerScene, name: str) -> None:
    variant = DOCKER_VARIANTS[name]
    with variant.overlay(host):
        results = looked(scene, variant.looks)
        wrong = failing(results)
        assert sorted(wrong) == sorted(variant.fails), wrong
    texts = " ".join(f"{each.cause} {each.claim.remedy}" for each in results if each.claim.id in variant.fails)
    assert variant.says in texts, texts
    deadline = time.monotonic() + SECONDS
    while left := failing(looked(scene, tuple(variant.fails))):
        assert time.monotonic() < deadline, left


def test_rules_that_were_lost_are_back_before_docker_starts_anything(host: DockerHost) -> None:
    """The good twin of `lost at a restart`: the unit is what brings them back."""
    host.machine.run(["rakazo-egress", "remove"])
    host.machine.run(["systemctl", "restart", "docker"], seconds=120.0)
    host.machine.run(["rakazo-egress", "check"])
    asked = ["systemctl", "show", "--property", "ActiveEnterTimestampMonotonic", "--value"]
    rules, docker = (int(host.machine.run([*asked, unit]).stdout) for unit in ("rakazo-egress", "docker"))
    assert rules < docker
