"""The tables of docs/targets/README.md that the code writes: `python -m tests.repository.target_tables`."""

from collections.abc import Iterator
from pathlib import Path

from stacks import support
from stacks.matrix import MATRIX, Cell, Refusal

FILE = Path(__file__).parents[2] / "docs" / "targets" / "README.md"
RUNTIMES = ("gvisor", "kata", "runc")


def runtimes_table() -> str:
    """Return one row per target and one column per runtime."""
    head = " | ".join(("`target.kind`", *(f"`{kind}`" for kind in RUNTIMES)))
    rows = [f"| {head} |", f"|{'---|' * (len(RUNTIMES) + 1)}"]
    for target, cells in MATRIX.items():
        told = (_told(cells[runtime]) for runtime in RUNTIMES)
        rows.append(f"| `{target}` | {' | '.join(told)} |")
    return "\n".join(rows)


def _told(cell: Cell | Refusal) -> str:
    if isinstance(cell, Refusal):
        return "refused"
    since = "" if cell.since is None else f", from Kubernetes {cell.since[0]}.{cell.since[1]} on"
    return cell.way.value + since + (" (see below)" if cell.caveat else "")


def reasons_table() -> str:
    """Return one row for each pair about which there is something to say."""
    rows = ["| target | runtime | what a preview says |", "|---|---|---|"]
    for target, runtime, said in _said():
        rows.append(f"| `{target}` | `{runtime}` | {said} |")
    return "\n".join(rows)


def _said() -> Iterator[tuple[str, str, str]]:
    for target, cells in MATRIX.items():
        for runtime, cell in cells.items():
            said = cell.reason if isinstance(cell, Refusal) else cell.too_old or cell.caveat
            if said:
                yield target, runtime, said


def support_table() -> str:
    """Return one row per release of Kubernetes, with who supports it until when."""
    calendars: dict[str, support.Calendar] = {"every target but those beside": support.COMMUNITY, **support.CALENDARS}
    releases = sorted(
        {version for calendar in calendars.values() for version in calendar.ends},
        key=lambda version: int(version.partition(".")[2]),
    )
    rows = [f"| Kubernetes | {' | '.join(calendars)} |", f"|{'---|' * (len(calendars) + 1)}"]
    for version in releases:
        ends = (str(calendar.ends.get(version, "unknown")) for calendar in calendars.values())
        rows.append(f"| {version} | {' | '.join(ends)} |")
    rows.append(f"| source | {' | '.join(calendar.source for calendar in calendars.values())} |")
    afterwards = ("refused" if calendar.refuses else "a warning" for calendar in calendars.values())
    rows.append(f"| afterwards | {' | '.join(afterwards)} |")
    return "\n".join(rows)


TABLES = {"runtimes": runtimes_table, "reasons": reasons_table, "support": support_table}


def rendered(text: str) -> str:
    """Return the page with its tables written anew; ValueError when a marker is missing."""
    for name, table in TABLES.items():
        begin, end = f"<!-- {name}: written by the code -->", f"<!-- end of {name} -->"
        if begin not in text or end not in text:
            raise ValueError(f"{FILE.name} has no place for the table of {name}: write {begin} and {end}")
        before, after = text.partition(begin)[0], text.partition(end)[2]
        text = f"{before}{begin}\n{table()}\n{end}{after}"
    return text


if __name__ == "__main__":
    FILE.write_text(rendered(FILE.read_text(encoding="utf-8")), encoding="utf-8")
