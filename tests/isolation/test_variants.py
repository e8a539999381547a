"""Each broken variant makes exactly its claims fail, with words that lead to the fault."""

from collections.abc import Iterator

import pytest

from probes.scene import Scene
from tests.deployments import Deployed
from tests.isolation.leftovers import leftovers
from tests.isolation.overlays import Cluster
from tests.isolation.variant_looks import failing, mended, proven, says, staged, until_named
from tests.isolation.variants import VARIANTS


@pytest.fixture(scope="module")
def scene(deployed: Deployed) -> Iterator[Scene]:
    with staged(deployed) as made:
        assert made.missing == {}
        yield made
    assert leftovers(deployed) == []


@pytest.fixture(scope="module")
def good(scene: Scene) -> None:
    """The twin of every variant: nothing fails before anything is broken."""
    looks = {look for variant in VARIANTS.values() if not variant.fresh for look in variant.looks}
    assert failing(proven(scene, tuple(looks))) == {}


@pytest.mark.usefixtures("good")
@pytest.mark.parametrize("name", [name for name, variant in VARIANTS.items() if not variant.fresh])
def test_a_broken_variant_fails_as_named(deployed: Deployed, scene: Scene, name: str) -> None:
    variant = VARIANTS[name]
    with variant.overlay(Cluster(deployed)):
        results = until_named(scene, variant)
    says(results, variant)
    mended(scene, variant)
