"""A verification in a terminal: one line per claim, and what to do about those that are not proven."""

from collections.abc import Iterable, Iterator

from rich.console import Console, RenderableType
from rich.console import Group as Lines
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from operations.report.evidence import why_unprovable
from operations.report.verdict import by_group, totals, verdict
from operations.report.words import SHORT, TITLES
from probes.claim import Group, Result, State
from probes.verification import Verification

STYLES = {
    State.PROVEN: "green",
    State.FAILED: "bold red",
    State.UNPROVABLE: "cyan",
    State.UNCHECKED: "bold yellow",
}
INDENT = 2
LONGEST_ID = 34
"""Characters; a longer id is folded: the sentence needs the rest of a line of 100."""


def show(verification: Verification, console: Console) -> None:
    """Print what `rakazo-infra verify` ends with, in the console's width."""
    for part in _parts(verification):
        console.print(part)


def _parts(verification: Verification) -> Iterator[RenderableType]:
    width = min(LONGEST_ID, max((len(each.claim.id) for each in verification.results), default=0))
    for group, results in by_group(verification):
        yield _heading(group, results)
        for result in results:
            yield Padding(_line(result, width), (0, 0, 0, INDENT))
            explained = list(_explained(result))
            if explained:
                yield Padding(Lines(*explained), (0, 0, 0, INDENT * 2))
        yield Text()
    yield _summary(verification)


def _heading(group: Group, results: list[Result]) -> Text:
    proven = totals(results)[State.PROVEN]
    return Text.assemble((TITLES[group], "bold"), (f"  {group}, {proven} of {len(results)} proven", "dim"))


def _line(result: Result, width: int) -> Table:
    """Return one claim: its sentence stays on the line when it is proven and is told in full when it is not."""
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(width=max(map(len, SHORT.values())), no_wrap=True)
    table.add_column(width=width, overflow="fold")
    table.add_column(ratio=1)
    short = result.state is State.PROVEN
    sentence = Text(result.claim.sentence, no_wrap=short, overflow="ellipsis" if short else "fold")
    table.add_row(Text(SHORT[result.state], style=STYLES[result.state]), Text(result.claim.id), sentence)
    return table


def _explained(result: Result) -> Iterable[RenderableType]:
    if result.state is State.UNPROVABLE:
        yield _told("why", why_unprovable(result), "dim")
    elif result.state is not State.PROVEN:
        yield _told("cause", result.cause, STYLES[result.state])
        yield _told("remedy", result.claim.remedy, "")


def _told(label: str, text: str, style: str) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=len("remedy:"), no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(Text(f"{label}:", style="dim"), Text(text, style=style))
    return table


def _summary(verification: Verification) -> Text:
    told = verdict(verification)
    return Text.assemble(
        (told.sentence, STYLES[told.state]), f" in {verification.seconds:.1f} s. ", told.detail, overflow="fold"
    )
