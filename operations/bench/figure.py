"""One measured figure."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Several runs of one thing, in the unit of the name."""

    name: str
    unit: str
    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        """The figure to quote."""
        return median(self.runs)

    def row(self) -> str:
        """Return the figure as a row of a Markdown table."""
        spread = f"{min(self.runs):.1f} to {max(self.runs):.1f}" if len(self.runs) > 1 else "one run"
        return f"| {self.name} | {self.median:.1f} {self.unit} | {spread} |"


def seconds(name: str, action: Callable[[], object]) -> Figure:
    """Time one run."""
    started = time.monotonic()
    action()
    return Figure(name=name, unit="s", runs=(time.monotonic() - started,))


def ratio(name: str, numerator: Sequence[float], denominator: Sequence[float]) -> Figure:
    """Divide pair by pair, so that a machine that grows slower during the run does not count."""
    return Figure(name=name, unit="x", runs=tuple(a / b for a, b in zip(numerator, denominator, strict=True)))
