"""Looking at a broken stack with a verification's own pods, and what has to be said of it."""

import dataclasses
import time
from collections.abc import Iterator
from contextlib import contextmanager

from probes.claim import Result, State, chosen
from probes.claims import every_claim
from probes.scene import Scene
from probes.stage import Stage
from probes.surroundings import look_around
from probes.verification import prove
from tests.deployments import Deployed, facts_of
from tests.isolation.variants import Variant

SECONDS = 40.0
"""A change reaches every node and every copy of a rule within seconds; how many is not what is looked at here."""


@contextmanager
def staged(deployed: Deployed) -> Iterator[Scene]:
    """A verification's pods, kept for many looks."""
    facts = facts_of(deployed)
    with Stage(deployed.api, facts, "variants", print):
        scene = Scene(deployed.api, facts, look_around(deployed.api, facts), "variants")
        scene.start()
        yield scene


def proven(scene: Scene, looks: tuple[str, ...]) -> list[Result]:
    """Look at the chosen claims with what stands around right now."""
    around = look_around(scene.operator, scene.facts)
    scene.around = dataclasses.replace(around, cast=scene.around.cast, cast_service=scene.around.cast_service)
    return prove(scene, chosen(every_claim(scene.facts, scene.around), looks))[0]


def failing(results: list[Result]) -> dict[str, str]:
    """Return what does not hold or could not be checked, with its cause."""
    return {result.claim.id: result.cause for result in results if result.state in (State.FAILED, State.UNCHECKED)}


def until_named(scene: Scene, variant: Variant) -> list[Result]:
    """Look until exactly the named claims fail; the last look is what the assertion shows.

    A look in the middle of a change may find a claim that cannot be checked, which is no failure yet.
    """
    deadline = time.monotonic() + SECONDS
    while True:
        results = proven(scene, variant.looks)
        wrong = failing(results)
        failed = {result.claim.id for result in results if result.state is State.FAILED}
        if wrong.keys() == failed == variant.fails or time.monotonic() > deadline:
            assert sorted(wrong) == sorted(variant.fails), wrong
            return results


def says(results: list[Result], variant: Variant) -> None:
    """Assert that the named claims fail, and that their words lead to the fault."""
    failed = [result for result in results if result.claim.id in variant.fails]
    assert [result.state for result in failed] == [State.FAILED] * len(failed), failing(results)
    texts = " ".join(f"{result.cause} {result.claim.remedy}" for result in failed)
    assert variant.says in texts, texts


def mended(scene: Scene, variant: Variant) -> None:
    """Wait until the same claims hold again, so that the next variant begins on a good stack."""
    deadline = time.monotonic() + SECONDS
    while wrong := failing(proven(scene, tuple(variant.fails))):
        assert time.monotonic() < deadline, wrong
