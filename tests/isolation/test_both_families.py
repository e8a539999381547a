"""The claims hold for IPv6 as for IPv4, on a cluster of its own that has both."""

from collections.abc import Iterator

import pytest
from rich.console import Console

from local import cluster as embedded
from probes.claim import State
from probes.verification import Verification, verify
from tests.deployments import Deployed, deployment, facts_of

NAME = "test-dual"
CONSOLE = Console(stderr=True)
LOOKS = (
    "out-metadata-aws-ipv6",
    "out-metadata-gce-ipv6",
    "out-range-fc00::/8",
    "out-range-fd00::/8",
    "out-range-2001:db8::/32",
    "out-range-64:ff9b::/96",
    "out-node-kubelet",
    "out-pod",
    "out-computer",
    "in-screens",
    "in-strangers",
    "birth-window",
)


@pytest.fixture(scope="module")
def found() -> Iterator[Verification]:
    """Deploy behind the gate, which has looked at every claim in both families, and look at some of them once more."""
    embedded.down(NAME, CONSOLE)
    embedded.up(NAME, CONSOLE, dual_stack=True)
    try:
        made = deployment(NAME)
        outcome = made.up()
        assert outcome.code == 0, outcome.diagnostics
        assert "claims proven" in outcome.output
        deployed = Deployed(deployment=made, url=embedded.way_in(NAME), application="rakazo", computers="-")
        yield verify(deployed.api, facts_of(deployed), only=LOOKS)
    finally:
        embedded.down(NAME, CONSOLE)


def test_the_claims_about_ipv6_are_proven_with_their_controls(found: Verification) -> None:
    """A network plugin can enforce one family alone, and every API says that all is well."""
    assert {result.claim.id: result.cause for result in found.results if result.state is not State.PROVEN} == {}
    assert len(found.results) == len(LOOKS)


def test_screens_and_denials_are_tried_by_both_families(found: Verification) -> None:
    for key in ("out-node-kubelet", "out-computer", "in-screens", "in-strangers", "birth-window"):
        (result,) = [each for each in found.results if each.claim.id == key]
        held = [each.subject for each in result.evidence if each.holds]
        assert [text for text in held if "[fd00:" in text], (key, held)
        assert [text for text in held if "(10." in text], (key, held)
