"""What a claim looks through, whatever the stack runs on: somebody who can run a command in each place."""

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from probes.facts import ServiceFacts
from probes.vantage import Vantage


class ProbeError(Exception):
    """What a verification looks through did not become what was asked; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What a command printed and how it ended."""

    exit_code: int
    output: str
    """Standard output and error, in order."""


class Stack(Protocol):
    """What every kind of stack says of itself."""

    @property
    def image_computer(self) -> str:
        """Image of computers, by digest."""

    @property
    def last_screen_port(self) -> int:
        """Screens listen on 6080 and from 6100 up to this port."""

    def service(self, name: str) -> ServiceFacts:
        """Return one service; KeyError when the stack has none of that name."""


class Prober(Protocol):
    """A running verification."""

    @property
    def facts(self) -> Stack:
        """The stack that is looked at."""

    @property
    def missing(self) -> Mapping[Vantage, str]:
        """Vantages that are not there, and why."""

    @property
    def closing(self) -> threading.Event:
        """Set once the verification was interrupted: nothing new is made from then on."""

    @property
    def run_id(self) -> str:
        """Tells this run from every other one."""

    def execute(self, vantage: Vantage, command: list[str], seconds: int = 60) -> Ran:
        """Run a command where the vantage is; ProbeError with the reason when it is missing."""

    def unwitnessed(self) -> frozenset[str]:
        """Return addresses of services that are not what they were when the verification began, or were not ready."""

    def room(self) -> AbstractContextManager[None]:
        """Hold one place among the computers that may exist."""
