"""One look from every vantage at every address that a claim names, all at once."""

import contextlib
import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from probes.crossing import Crossing
from probes.prober import ProbeError, Prober
from probes.reach import Answer, Destination, command, listed, shell_command
from probes.vantage import BASH_ONLY, Vantage

Found = dict[tuple[Vantage, Destination], Answer]
PATIENCE_SECONDS = 15.0
"""A network plugin may take so long to let in a pod that has just started."""
AT_ONCE = 60
"""Addresses of one command: what a URL of the exec request holds, and what answers within one deadline."""


def survey(scene: Prober, crossings: Iterable[Crossing]) -> Found:
    """Try everything that the crossings need; a vantage that is missing gives no answers."""
    listed_crossings = list(crossings)
    wanted: dict[Vantage, dict[Destination, None]] = defaultdict(dict)
    for crossing in listed_crossings:
        for vantage, target in crossing.attempts():
            if vantage not in scene.missing:
                wanted[vantage][target] = None
    found = _tried(scene, {vantage: list(targets) for vantage, targets in wanted.items()})
    must_open = {(c.source, c.target) for c in listed_crossings if c.open}
    must_open |= {(c.control, c.target) for c in listed_crossings if c.control is not None}
    must_closed = {(c.source, c.target) for c in listed_crossings if not c.open}
    late = _patiently(scene, found, must_open - must_closed)
    return _equally(scene, found, [c for c in listed_crossings if not c.open and (c.control, c.target) in late])


def _patiently(
    scene: Prober, found: Found, wanted: set[tuple[Vantage, Destination]]
) -> set[tuple[Vantage, Destination]]:
    """Ask again for what should be open and is not yet, as long as each round brings something.

    The new answers are put into `found`; returns what was open only when asked again.
    """
    late: set[tuple[Vantage, Destination]] = set()
    deadline = time.monotonic() + PATIENCE_SECONDS
    closed = {key for key in wanted if found.get(key, Answer.OPEN) is not Answer.OPEN}
    while closed and time.monotonic() < deadline:
        again: dict[Vantage, list[Destination]] = defaultdict(list)
        for vantage, target in closed:
            again[vantage].append(target)
        answers = _tried(scene, again)
        opened = {key for key, answer in answers.items() if answer is Answer.OPEN}
        found |= answers
        if not opened:
            break
        closed -= opened
        late |= opened
    return late


def _equally(scene: Prober, found: Found, crossings: list[Crossing]) -> Found:
    """Try once more what must be closed where the control got through late: until then the way was open to nobody.

    What either look saw open is open.
    """
    again: dict[Vantage, dict[Destination, None]] = defaultdict(dict)
    for crossing in crossings:
        if found.get((crossing.source, crossing.target), Answer.OPEN) is not Answer.OPEN:
            again[crossing.source][crossing.target] = None
    return found | _tried(scene, {vantage: list(targets) for vantage, targets in again.items()})


def _tried(scene: Prober, wanted: dict[Vantage, list[Destination]]) -> Found:
    parts = [
        (vantage, targets[start : start + AT_ONCE])
        for vantage, targets in wanted.items()
        for start in range(0, len(targets), AT_ONCE)
    ]
    found: Found = {}
    with ThreadPoolExecutor(max(1, len(parts))) as pool:
        for (vantage, targets), answers in zip(parts, pool.map(lambda part: _try(scene, *part), parts), strict=True):
            found |= {(vantage, target): answer for target, answer in zip(targets, answers, strict=True)}
    return found


def _try(scene: Prober, vantage: Vantage, targets: list[Destination]) -> list[Answer]:
    line = shell_command(targets) if vantage in BASH_ONLY else command(targets)
    ran = scene.execute(vantage, line)
    # What was short there for a moment at one address would leave every crossing without an answer.
    with contextlib.suppress(ValueError):
        return listed(targets, ran.output)
    ran = scene.execute(vantage, line)
    try:
        return listed(targets, ran.output)
    except ValueError as error:
        raise ProbeError(f"the probe in {vantage} ended with exit code {ran.exit_code}: {error}") from error
