"""Evidence is told in parts that a table can show, and nothing of it is lost."""

import pytest

from operations.report.evidence import row, rows, tally, why_unprovable
from tests.unit.operations.report.example import claim, evidence, example, looked


@pytest.mark.parametrize(
    ("subject", "source", "target", "address"),
    [
        ("a computer → a neighbour (10.99.0.10:80)", "a computer", "a neighbour", "10.99.0.10:80"),
        ("web → a neighbour (10.99.0.10:53 by UDP)", "web", "a neighbour", "10.99.0.10:53 by UDP"),
        ("web → a neighbour ([fd00::7]:80)", "web", "a neighbour", "[fd00::7]:80"),
        ("a computer → http://example.com/", "a computer", "http://example.com/", ""),
        ("a computer", "", "a computer", ""),
        ("two\nlines", "", "two\nlines", ""),
        ("", "", "", ""),
    ],
)
def test_a_subject_is_who_what_and_where(subject: str, source: str, target: str, address: str) -> None:
    found = row(evidence(subject, "silent"))
    assert (found.source, found.target, found.address) == (source, target, address)


def test_what_breaks_a_claim_comes_first_and_what_held_comes_last() -> None:
    looks = [evidence("a", "1"), evidence("b", "2", None), evidence("c", "3", False), evidence("d", "4")]
    result = looked("out-a", "A.", *looks)
    assert [(each.target, each.word) for each in rows(result)] == [
        ("c", "broken"),
        ("b", "unknown"),
        ("a", "held"),
        ("d", "held"),
    ]
    assert tally(result) == "2 held, 1 unknown, 1 broken"
    assert tally(looked("out-a", "A.")) == ""


def test_why_a_claim_is_not_provable_is_said_once_per_reason() -> None:
    silent = [evidence(f"a computer → x (10.0.0.{n}:80)", "silent", None, "a pod: silent") for n in (1, 2)]
    assert why_unprovable(looked("out-a", "A.", *silent)) == "no answer to the control either (a pod: silent)"
    assert why_unprovable(looked("out-a", "A.", evidence("x", "no such limit", None))) == "no such limit"
    assert why_unprovable(looked("out-a", "A.")) == "There is no such thing in this stack to look at."


def test_a_claim_of_another_state_has_no_such_reason() -> None:
    assert claim("out-a", "A.").crossings == ()
    told = {each.claim.id for each in example().results if why_unprovable(each)}
    assert told == {"out-range-100.64.0.0/10", "out-metadata-azure", "limits-pids"}
