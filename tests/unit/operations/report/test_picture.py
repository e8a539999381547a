"""The picture as a file: each relation is drawn once, in its manner, and also told in words."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest

from operations.report.panel import Panel, panels
from operations.report.picture import WIDTH, draw
from operations.report.relation import Manner, Relation, relations
from probes.vantage import Vantage
from tests.unit.operations.report.example import example

EDGE = Relation(source=Vantage.WEB, kind="postgres", opened=0, attempts=2, broken=False)


def drawn(*edges: Relation) -> ET.Element:
    return ET.fromstring(draw(Panel(sources=(Vantage.WEB,), relations=edges), 7))  # noqa: S314 - our own text


@pytest.mark.parametrize(
    ("opened", "broken", "classes"),
    [
        (0, False, "edge closed"),
        (2, False, "edge open"),
        (1, False, "edge mixed"),
        (2, True, "edge open broken"),
        (0, True, "edge closed broken"),
    ],
)
def test_the_manner_of_a_relation_is_the_class_of_its_edge(opened: int, broken: bool, classes: str) -> None:
    (edge,) = drawn(replace(EDGE, opened=opened, broken=broken)).iter("g")
    assert edge.get("class") == classes


def test_open_ends_in_an_arrow_and_closed_in_a_bar() -> None:
    """Colour alone would not tell them apart for everybody."""
    tips = [
        each.get("d", "") for each in drawn(EDGE, replace(EDGE, opened=2)).iter("path") if each.get("class") == "tip"
    ]
    closed, opened = tips
    assert closed.endswith("v12")
    assert opened.endswith("z")


def test_every_relation_of_the_example_is_drawn_once() -> None:
    found = panels(relations(example()))
    texts = [
        (title.text or "").partition(":")[0]
        for number, panel in enumerate(found)
        for edge in ET.fromstring(draw(panel, number)).iter("g")  # noqa: S314 - our own text
        for title in edge.iter("title")
    ]
    one_each = [f"{each.source} → {each.kind}" for panel in found for each in panel.relations]
    assert sorted(texts) == sorted(one_each)
    assert sum(len(panel.sources) * len(panel.relations) for panel in found) == len(relations(example()))


def test_a_picture_is_told_in_words_too() -> None:
    picture = drawn(EDGE)
    named = {each.get("id"): each.text for each in picture if each.get("id")}
    assert named == {"panel-7": "What web reached", "panel-7-said": "closed: postgres."}
    assert picture.get("aria-labelledby") == "panel-7 panel-7-said"
    assert picture.get("role") == "img"


def test_partly_open_says_how_far() -> None:
    (edge,) = drawn(replace(EDGE, opened=1)).iter("g")
    assert [each.text for each in edge.iter("text")] == ["postgres (1 of 2)"]
    assert Manner.MIXED in (edge.findtext("title") or "")


def test_a_long_name_with_markup_stays_inside_and_is_whole_in_its_title() -> None:
    name = "a <b>very</b> & long name " * 4
    (edge,) = drawn(replace(EDGE, kind=name)).iter("g")
    assert len(edge.findtext("text") or "") < 30
    assert name in (edge.findtext("title") or "")


def test_lines_and_names_of_one_panel_do_not_overlap() -> None:
    """Every name has a line of its own, and all of them are inside the picture."""
    picture = drawn(*[replace(EDGE, kind=f"kind {number}") for number in range(30)])
    heights = [float(each.get("y", 0)) for edge in picture.iter("g") for each in edge.iter("text")]
    assert min(after - before for before, after in pairwise(heights)) >= 20
    assert 0 < min(heights) < max(heights) < float(picture.get("height", 0))
    assert picture.get("viewBox") == f"0 0 {WIDTH} {picture.get('height')}"
