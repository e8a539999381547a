"""Which versions Google offers, asked before anything is made."""

import pulumi
import pytest

from components.targets.gke.versions import Offered, refused_version
from tests.unit.clouds import gke
from tests.unit.targets.gke.example import made

OFFERED = Offered(versions=gke.VERSIONS, newest=gke.NEWEST)


@pytest.mark.parametrize(("version", "channel"), [("1.36", "REGULAR"), ("1.35", "REGULAR"), ("1.37", "RAPID")])
def test_a_minor_of_the_channel_is_taken(version: str, channel: str) -> None:
    assert refused_version(version, channel, OFFERED) is None


@pytest.mark.parametrize(
    ("version", "channel", "offered"),
    [
        ("1.37", "REGULAR", '"1.35", "1.36"'),
        ("1.36", "STABLE", '"1.35"'),
        ("1.34", "REGULAR", '"1.35", "1.36"'),
        ("1.3", "RAPID", '"1.35", "1.36", "1.37"'),
    ],
)
def test_another_one_is_refused_with_those_that_there_are(version: str, channel: str, offered: str) -> None:
    """B094: gone tomorrow, or not there yet."""
    told = refused_version(version, channel, OFFERED)
    assert told is not None
    assert f"the channel {channel} does not offer {version} there; it offers {offered}." in told


def test_the_preview_stops_before_anything_is_made() -> None:
    """B094."""
    with pytest.raises(pulumi.RunError, match=r"does not offer 1\.35 there; it offers .1\.36"):
        made(gke.answers(versions=gke.VERSIONS[:2]), kubernetes_version="1.35")
