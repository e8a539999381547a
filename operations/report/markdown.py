"""A verification as Markdown, short enough for the summary of a CI job."""

from collections.abc import Iterable, Iterator

from operations.report.document import date, images, tool_version
from operations.report.evidence import why_unprovable
from operations.report.stack import words
from operations.report.verdict import by_group, totals, verdict
from operations.report.words import SHORT, SHOWN_FIRST, TITLES, code_spans
from probes.claim import Result, State
from probes.verification import Verification

_SPECIAL = str.maketrans({**{sign: f"\\{sign}" for sign in "\\`*_[]#|~$"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"})


def text(value: str) -> str:
    """Return a value as one line in which only pairs of backticks mark up: nothing links or ends a table's cell."""
    parts = [part.translate(_SPECIAL) for part in code_spans(" ".join(value.split()))]
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def render_markdown(verification: Verification) -> str:
    """Return the verdict, what needs attention, numbers per group, and every claim folded away."""
    told = verdict(verification)
    lines = [f"# {told.sentence}", ""]
    lines += [told.detail, ""] if told.detail else []
    lines += [text(_about(verification)), ""]
    lines += _attention([*verification.failed, *verification.unchecked])
    lines += _numbers(verification)
    lines += _unprovable(verification.of_state(State.UNPROVABLE))
    lines += _every_claim(verification)
    lines += ["", "<details><summary>Images and nodes</summary>", ""]
    lines += _table(["image", "reference"], images(verification).items())
    lines += [""]
    first, second, third = words(verification).nodes
    lines += _table([first.lower(), second.lower(), third.lower()], verification.nodes)
    lines += ["", "</details>"]
    return "\n".join(lines) + "\n"


def _about(verification: Verification) -> str:
    return (
        f"{date(verification):%Y-%m-%d %H:%M:%S} UTC, {verification.seconds:.1f} s, {words(verification).about}, "
        f"rakazo-infra {tool_version()}"
    )


def _attention(results: list[Result]) -> Iterator[str]:
    if not results:
        return
    yield "## What needs attention"
    yield ""
    yield from _table(
        ["claim", "state", "cause", "remedy"],
        ((f"{each.claim.id}: {each.claim.sentence}", each.state, each.cause, each.claim.remedy) for each in results),
    )
    yield ""


def _numbers(verification: Verification) -> Iterator[str]:
    states = list(reversed(SHOWN_FIRST))
    yield from _table(
        ["group", *states],
        (
            (TITLES[group], *(str(totals(results)[state] or "") for state in states))
            for group, results in by_group(verification)
        ),
    )
    yield ""


def _unprovable(results: list[Result]) -> Iterator[str]:
    if not results:
        return
    yield "## Not provable here"
    yield ""
    yield from _table(
        ["claim", "why"], ((f"{each.claim.id}: {each.claim.sentence}", why_unprovable(each)) for each in results)
    )
    yield ""


def _every_claim(verification: Verification) -> Iterator[str]:
    yield "<details><summary>Every claim</summary>"
    yield ""
    yield from _table(
        ["claim", "state", "sentence"],
        ((each.claim.id, SHORT[each.state], each.claim.sentence) for each in verification.results),
    )
    yield ""
    yield "</details>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    titles = list(heads)
    yield f"| {' | '.join(titles)} |"
    yield "|" + "---|" * len(titles)
    for row in rows:
        yield f"| {' | '.join(map(text, row))} |"
