"""The end of `rakazo-infra verify` fits the terminal, and says what to do."""

import io
import re

from rich.console import Console

from operations.report.terminal import show
from probes.verification import Verification
from tests.unit.operations.report.example import evidence, example, looked, proven


def printed(verification: Verification, width: int = 100, *, colours: bool = False) -> str:
    output = io.StringIO()
    show(
        verification,
        Console(file=output, width=width, force_terminal=colours, color_system="standard" if colours else None),
    )
    return output.getvalue()


TEXT = printed(example())
LINES = [line.rstrip() for line in TEXT.splitlines()]


def test_every_claim_has_its_line_with_its_state_in_words() -> None:
    words = {"proven", "failed", "unprovable", "unchecked"}
    found = {line.split()[1]: line.split()[0] for line in LINES if line.split()[:1] and line.split()[0] in words}
    assert set(found) == {each.claim.id for each in example().results}
    assert set(found.values()) == words


def test_a_proven_claim_takes_one_line_whatever_its_length() -> None:
    long = looked("out-a", "A very long sentence. " * 20, evidence("a", "b"))
    lines = [line for line in printed(example(results=(long,))).splitlines() if "very long" in line]
    assert len(lines) == 1
    assert lines[0].rstrip().endswith("…")


def test_a_failed_claim_is_followed_by_cause_and_remedy_in_full() -> None:
    start = next(index for index, line in enumerate(LINES) if "admission-image" in line)
    assert LINES[start + 1].strip() == "cause:  image: example.test/other: accepted, and must be refused"
    assert LINES[start + 2].strip().startswith("remedy: Compare the policies with `kubectl get networkpolicies`")
    together = " ".join(TEXT.split())
    for result in [*example().failed, *example().unchecked]:
        assert result.cause in together
    assert "cause:" not in printed(proven())


def test_what_is_not_provable_says_why() -> None:
    assert re.search(r"limits-pids .*\n(?:.*\n)?\s+why:\s+gVisor has no limit of processes", TEXT)


def test_no_line_is_wider_than_the_console() -> None:
    hostile = looked("out-" + "x" * 80, "y" * 300, evidence("[bold]a[/]", "fd00:" * 60, False))
    for width in (60, 100, 160):
        text = printed(example(results=(*example().results, hostile)), width)
        assert max(map(len, text.splitlines())) <= width
    assert "[bold]a[/]" in printed(example(results=(hostile,)))


def test_it_ends_with_totals_and_seconds() -> None:
    assert " ".join(TEXT.split()).endswith(
        "3 of 25 claims failed in 71.3 s. 18 are proven, 3 are not provable here and 1 could not be checked."
    )
    assert "All 18 claims that can be proven here are proven in 71.3 s. 3 are not provable here." in printed(proven())


def test_states_have_colours_where_the_terminal_has_them() -> None:
    text = printed(example(), colours=True)
    assert "\x1b[32mproven" in text
    assert "\x1b[1;31mfailed" in text
    assert "\x1b" not in TEXT


def test_a_piped_text_is_not_coloured_and_a_group_says_its_share() -> None:
    assert "Ways in  in, 2 of 3 proven" in LINES
