"""What every computer is called and offers, wherever it runs."""

import hashlib
import re

PREFIX = "rakazo-bot-"
LONGEST_ID = 40
HOME = "/home/rakazo"
USER = 1000
"""The image's own user and group."""
VIEW_PORT = 6080
"""Shows the display without asking for anything."""
CONTROL_PORT = 6100
"""The token-guarded gateway."""
SCREEN_TOKENS = "/tmp/rakazo/screen-tokens"  # noqa: S108 -- in the computer
"""File in the computer with a line `<token>: <display>` for each token that the gateway lets through."""


def computer_name(bot: str) -> str:
    """Return a computer's name; a bot id that is no DNS label is replaced by a digest of it."""
    if len(bot) <= LONGEST_ID and re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", bot):
        return PREFIX + bot
    return PREFIX + hashlib.sha256(bot.encode()).hexdigest()[:LONGEST_ID]


def home_key(name: str) -> str:
    """Return what the saved home of a computer of this name is called."""
    return name.removeprefix(PREFIX)
