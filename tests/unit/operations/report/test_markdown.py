"""Markdown for a CI job: tables stay tables whatever a cluster says."""

import re

from operations.report.markdown import render_markdown, text
from tests.unit.operations.report.example import evidence, example, looked, proven

TEXT = render_markdown(example())


def cells(line: str) -> int:
    return len(re.findall(r"(?<!\\)\|", line)) - 1


def test_it_begins_with_the_verdict_and_then_tells_what_to_do() -> None:
    assert TEXT.startswith("# 3 of 25 claims failed\n\n18 are proven,")
    attention = TEXT.partition("## What needs attention")[2].partition("\n## ")[0]
    for result in [*example().failed, *example().unchecked]:
        assert text(result.claim.id) in attention
        assert text(result.cause) in attention
    assert "<code>pulumi up</code>" in attention
    assert "What needs attention" not in render_markdown(proven())


def test_every_claim_is_there_with_its_state() -> None:
    for result in example().results:
        assert re.search(rf"^\| {re.escape(text(result.claim.id))} \| [a-z]+ \|", TEXT, re.MULTILINE), result.claim.id


def test_what_is_not_provable_says_why() -> None:
    assert "| limits-pids: A computer that starts more processes than it may is stopped. | gVisor has no limit" in TEXT


def test_every_row_has_as_many_cells_as_its_head() -> None:
    hostile = looked("out-a", "a | b\n| c", evidence("x|y", "<b>|</b>\r\n\\|", False))
    written = render_markdown(example(results=(hostile,)))
    tables = [part.splitlines() for part in re.findall(r"(?:^\|.*\n)+", written, re.MULTILINE)]
    assert len(tables) >= 4
    assert [line for table in tables for line in table if cells(line) != cells(table[0])] == []


def test_nothing_in_a_text_marks_up_but_pairs_of_backticks() -> None:
    assert text("a|b *c* [d](e) <f> & `g|h`") == r"a\|b \*c\* \[d\](e) &lt;f&gt; &amp; <code>g\|h</code>"
    assert text("one ` backtick") == r"one \` backtick"
    assert text(" two\n lines ") == "two lines"


def test_folded_parts_are_closed_and_surrounded_by_empty_lines() -> None:
    """Else a renderer of Markdown shows the table inside as text."""
    assert TEXT.count("<details>") == TEXT.count("</details>") == 2
    assert len(re.findall(r"<details><summary>[^<]+</summary>\n\n\|", TEXT)) == 2


def test_a_job_summary_can_hold_it() -> None:
    """GitHub cuts a step's summary at 1 MiB; 150 claims must be far from that."""
    results = tuple(
        looked(f"out-{number}", "A computer reaches nobody. " * 4, evidence("a → b (10.0.0.1:80)", "open", False))
        for number in range(150)
    )
    assert len(render_markdown(example(results=results))) < 100_000
