"""What is drawn of who talked to whom: edges and their manner, whatever the picture looks like."""

import pytest

from operations.report.kind import Kind, kind_of
from operations.report.panel import panels
from operations.report.relation import LOOKED_AT, Manner, relations, unreached
from probes.claim import Result
from probes.claims import every_claim
from probes.reach import Answer, Destination
from probes.vantage import Vantage
from tests.unit.operations.report.example import (
    ABSENT,
    POSTGRES,
    PRIVATE,
    PRIVATE_DNS,
    claim,
    closed,
    evidence,
    example,
    looked,
    opened,
    proven,
    stack,
)
from tests.unit.probes.example import around, facts

EDGES = {(each.source, each.kind): each for each in relations(example())}


def test_a_computer_is_drawn_as_it_was_measured() -> None:
    own = {kind: (each.manner, each.broken) for (source, kind), each in EDGES.items() if source is Vantage.COMPUTER}
    assert own == {
        Kind.PUBLIC_WEB: (Manner.OPEN, False),
        Kind.NAMES: (Manner.OPEN, False),
        Kind.SCREENS: (Manner.CLOSED, False),
        Kind.POSTGRES: (Manner.CLOSED, False),
        Kind.PODS: (Manner.CLOSED, False),
        Kind.NODES: (Manner.CLOSED, False),
        Kind.METADATA: (Manner.CLOSED, False),
        Kind.NEIGHBOURS: (Manner.MIXED, True),
    }


def test_all_attempts_at_one_kind_are_one_edge_that_counts_them() -> None:
    assert str(EDGES[Vantage.API, Kind.SCREENS]) == "api → computers' screens: open, 3 of 3 got through"
    assert str(EDGES[Vantage.COMPUTER, Kind.NEIGHBOURS]) == (
        "a computer → private networks: open in part, 1 of 2 got through, which breaks a claim"
    )


def test_what_nobody_reaches_is_not_drawn() -> None:
    """Closed would be a claim about something that may not exist."""
    assert unreached(example()) == ABSENT
    answers = ((Vantage.COMPUTER, PRIVATE, Answer.SILENT), (Vantage.CONTROL, PRIVATE, Answer.SILENT))
    assert relations(example(results=(), answers=answers)) == []


def test_a_witness_other_than_an_answer_makes_closed_mean_something() -> None:
    crossing = closed((Vantage.COMPUTER,), POSTGRES)[0]
    answers = ((Vantage.COMPUTER, POSTGRES, Answer.SILENT),)
    held = Result(claim=claim("out-a", "A.", crossing), evidence=(evidence("a computer → postgres", "silent"),))
    assert relations(example(results=(), answers=answers)) == []
    assert [each.manner for each in relations(example(results=(held,), answers=answers))] == [Manner.CLOSED]


def test_what_must_be_open_and_is_closed_breaks_a_claim() -> None:
    (crossing,) = opened((Vantage.API,), POSTGRES)
    answers = {(Vantage.API, POSTGRES): Answer.REFUSED}
    result = Result(claim=claim("in-a", "A.", crossing), evidence=(crossing.judge(answers),))
    (edge,) = relations(example(results=(result,), answers=((Vantage.API, POSTGRES, Answer.REFUSED),)))
    assert (edge.manner, edge.broken) == (Manner.CLOSED, True)


def test_the_other_computer_is_no_neighbour_of_itself() -> None:
    """It dials its own ports to show that it listens."""
    own = Destination(name="a computer", address="10.42.1.21", port=5900)
    answers = ((Vantage.NEIGHBOUR, own, Answer.OPEN), (Vantage.API, own, Answer.SILENT))
    assert [str(each) for each in relations(example(results=(), answers=answers))] == [
        "api → computers' other ports: closed, 0 of 1 got through"
    ]


def test_a_public_web_that_is_out_of_reach_is_drawn_as_broken() -> None:
    failed = looked("out-public-web", "A.", evidence("a computer → http://example.com/", "timed out", False))
    unknown = looked("out-dns-public", "A.", evidence("a computer → example.com", "nobody to ask", None))
    (edge,) = relations(example(results=(failed, unknown), answers=()))
    assert (edge.kind, edge.manner, edge.broken) == (Kind.PUBLIC_WEB, Manner.CLOSED, True)


def test_vantages_that_see_the_same_share_a_panel_and_the_control_is_last() -> None:
    assert [each.title for each in panels(relations(proven()))] == [
        "a computer",
        "api",
        "worker, web",
        "a stray pod of the application's namespace, a pod that calls itself web, a pod of another node",
        "a pod without policies",
    ]


def test_a_panel_begins_with_what_breaks_a_claim_then_with_what_is_open() -> None:
    computer = panels(relations(example()))[0]
    assert [each.kind for each in computer.relations[:3]] == [Kind.NEIGHBOURS, Kind.PUBLIC_WEB, Kind.NAMES]
    assert {each.manner for each in computer.relations[3:]} == {Manner.CLOSED}
    assert computer.description.endswith("; against a claim: private networks.")


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        (Destination(name="a computer", address="10.42.1.21", port=6163), Kind.SCREENS),
        (Destination(name="a computer", address="10.42.1.21", port=6164), Kind.OTHER_PORTS),
        (Destination(name="a computer", address="10.42.1.21", port=6081), Kind.OTHER_PORTS),
        (PRIVATE_DNS, Kind.NEIGHBOURS),
        (Destination(name="a teapot", address="10.0.0.1", port=418), "a teapot"),
    ],
)
def test_a_destination_is_of_one_kind_or_stands_for_itself(target: Destination, kind: str) -> None:
    assert kind_of(target, stack()) == kind


def test_every_destination_of_every_claim_has_a_kind() -> None:
    """A claim that is added with a name of its own would otherwise clutter the picture."""
    targets = {each.target for claim in every_claim(facts(), around()) for each in claim.crossings}
    assert len(targets) > 50
    assert sorted({str(each) for each in targets if kind_of(each, facts()) not in set(Kind)}) == []


def test_the_claims_that_are_drawn_from_their_own_look_exist() -> None:
    looks = {each.id for each in every_claim(facts(), around()) if each.look is not None}
    assert set(LOOKED_AT) <= looks
