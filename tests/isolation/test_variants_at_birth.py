"""Variants that a computer is born with: the pods that look are made while the stack is broken."""

import pytest

from tests.deployments import Deployed
from tests.isolation.leftovers import leftovers
from tests.isolation.overlays import Cluster
from tests.isolation.variant_looks import says, staged, until_named
from tests.isolation.variants import VARIANTS


@pytest.mark.parametrize("name", [name for name, variant in VARIANTS.items() if variant.fresh])
def test_a_variant_that_is_born_broken_fails_as_named(deployed: Deployed, name: str) -> None:
    """B045: what a computer gets at its birth does not change later."""
    variant = VARIANTS[name]
    with variant.overlay(Cluster(deployed)), staged(deployed) as scene:
        says(until_named(scene, variant), variant)
    assert leftovers(deployed) == []
