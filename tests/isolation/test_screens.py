"""A screen as a person sees it: through web, and not beyond its computer's end; others are test_verification's."""

import asyncio

from tests.deployments import Deployed
from tests.isolation.conftest import Computer
from tests.isolation.live_screen import GREETING, watch_until_deleted

CLOSING_SECONDS = 3.0
"""Web asks api every second whether a screen is still granted."""


def test_the_screen_is_reached_through_web(deployed: Deployed, computer: Computer) -> None:
    """The whole way of a person: a signed capability, web, the computer."""
    answer = deployed.rakazo.screen(computer.name)
    assert answer.status_code == 200, answer.text
    assert "stand-in" in answer.text.lower()


def test_a_live_screen_is_closed_when_its_computer_ends(deployed: Deployed) -> None:
    """A WebSocket through the way in and web to the computer: it greets, echoes, and ends with the computer."""
    name = str(deployed.rakazo.create("watched")["name"])
    try:
        opened = asyncio.run(watch_until_deleted(deployed, name))
    finally:
        deployed.rakazo.delete(name)
    assert opened.greeting == GREETING
    assert opened.echo == b"from the browser"
    assert opened.closed_after < CLOSING_SECONDS, f"still open {opened.closed_after:.1f} s after the computer's end"
