"""A verification as one page for people and auditors: no script, and nothing that is fetched from elsewhere."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from operations.report.document import date, images, tool_version
from operations.report.evidence import Row, rows, tally, why_unprovable
from operations.report.panel import panels
from operations.report.picture import draw
from operations.report.relation import relations, unreached
from operations.report.stack import words
from operations.report.verdict import by_group, totals, verdict
from operations.report.words import SHORT, SHOWN_FIRST, TITLES, code_spans, counted
from probes.claim import State
from probes.verification import Verification

_FOLDER = Path(__file__).parent


def render_html(verification: Verification) -> str:
    """Return the page."""
    edges = relations(verification)
    return _page().render(
        style=Markup((_FOLDER / "page.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
        verification=verification,
        facts=verification.facts,
        stack=words(verification),
        verdict=verdict(verification),
        totals=totals(verification.results),
        date=date(verification),
        images=images(verification),
        tool_version=tool_version(),
        attention=[*verification.failed, *verification.unchecked],
        unprovable=verification.of_state(State.UNPROVABLE),
        groups=list(by_group(verification)),
        panels=panels(edges),
        relations=edges,
        unreached=len(unreached(verification)),
    )


@cache
def _page() -> Template:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"State": State, "SHORT": SHORT, "SHOWN_FIRST": SHOWN_FIRST, "TITLES": TITLES}
    environment.filters |= {
        "rows": rows,
        "tally": tally,
        "totals": totals,
        "why_unprovable": why_unprovable,
        "draw": draw,
        "counted": counted,
        "breakable": breakable,
        "marked": marked,
        "used": used,
    }
    return environment.get_template("page.html.j2")


def marked(text: str) -> Markup:
    """Escape a text and set what stands between backticks as code."""
    parts = [Markup.escape(part) for part in code_spans(text)]
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def used(columns: list[tuple[str, str]], of: list[Row]) -> list[tuple[str, str]]:
    """Leave out the columns in which no row has anything."""
    return [(head, key) for head, key in columns if any(getattr(each, key) for each in of)]


def breakable(text: str) -> Markup:
    """Escape a text and allow a line to end within it after the marks that join the parts of a reference."""
    broken = str(Markup.escape(text))
    for mark in ("/", "@", ":"):
        broken = broken.replace(mark, f"{mark}<wbr>")
    return Markup(broken)  # noqa: S704 - escaped above
