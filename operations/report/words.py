"""The words and colours of a report, the same in every form of it."""

from probes.claim import Group, State

SHORT = {
    State.PROVEN: "proven",
    State.FAILED: "failed",
    State.UNPROVABLE: "unprovable",
    State.UNCHECKED: "unchecked",
}
"""One word per state, where a column is narrow or a machine reads; stable."""

SHOWN_FIRST = (State.FAILED, State.UNCHECKED, State.UNPROVABLE, State.PROVEN)
"""States in the order in which they matter to a reader."""

TITLES = {
    Group.KERNEL: "The kernel of a computer",
    Group.PLACEMENT: "Where computers run",
    Group.OUT: "Ways out",
    Group.IN: "Ways in",
    Group.BIRTH: "First moments",
    Group.IDENTITY: "Who may do what",
    Group.ADMISSION: "Which pods are let in",
    Group.LIMITS: "What a computer may use",
    Group.SECRETS: "Who holds which secret",
    Group.APPLICATION: "The application",
}
"""Headings of the groups."""


def counted(number: int, noun: str) -> str:
    """Return `1 claim` or `3 claims`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(parts: list[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def code_spans(text: str) -> list[str]:
    """Split a text at its backticks: every second part is code. A text whose backticks have no partner stays whole."""
    parts = text.split("`")
    return parts if len(parts) % 2 else [text]
