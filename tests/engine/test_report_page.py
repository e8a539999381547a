"""The report of a verification as a real browser shows it, on a desk and on a phone, by day and by night.

Chromium is the computer image's own, in namespaces without a network; whether the page's words are true is not
asked here.
"""

from collections.abc import Iterator

import pytest

from operations.report.html import render_html
from tests.engine.browser import DARK, Browser, browser
from tests.unit.operations.report.example import example, hostile

WIDTHS = (1280, 400)
"""Pixels: a desk and a phone."""
HEIGHT = 2000


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as found:
        found.write("report.html", render_html(example()))
        found.write("hostile.html", render_html(hostile(150)))
        found.write("blank.html", "<!doctype html><title>blank</title>")
        found.write(
            "bad.html", '<!doctype html><img src="http://203.0.113.7/a.png"><script>console.error("b")</script>'
        )
        found.write("wide.html", '<!doctype html><p style="width:2000px">wide')
        yield found


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fills_a_window_of_either_width(chromium: Browser, width: int) -> None:
    shown = chromium.picture("report.html", width, HEIGHT)
    blank = chromium.picture("blank.html", width, HEIGHT)
    assert (shown.width, shown.height) == (width, HEIGHT)
    assert (blank.rows, blank.colours) == (1, 1), "a blank page would pass for a full one"
    assert shown.rows > HEIGHT / 3
    assert shown.colours > 500


@pytest.mark.parametrize("page", ["report.html", "hostile.html"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_at_either_width(chromium: Browser, page: str, width: int) -> None:
    found = chromium.layout(page, width)
    assert found["names"] > 20, "the pictures have no names to measure"
    assert (found["width"], found["cut"], found["outside"]) == (width, [], [])


def test_a_page_that_is_cut_would_be_seen(chromium: Browser) -> None:
    assert chromium.layout("wide.html", WIDTHS[0])["cut"]


def test_the_page_is_dark_where_the_desktop_is(chromium: Browser) -> None:
    day = chromium.picture("report.html", 1280, HEIGHT)
    night = chromium.picture("report.html", 1280, HEIGHT, DARK)
    assert day.brightness > 0.8
    assert night.brightness < 0.25
    assert night.rows > HEIGHT / 3


def test_chromium_finds_the_verdict_and_every_claim(chromium: Browser) -> None:
    found = chromium.dom("report.html")
    assert "3 of 25 claims failed" in found
    assert [each.claim.id for each in example().results if f'id="claim-{each.claim.id}"' not in found] == []


def test_the_console_has_nothing_to_complain_of_and_nothing_is_fetched(chromium: Browser) -> None:
    assert chromium.complaints("bad.html") == ["b"], "complaints would not be seen"
    assert chromium.requests("bad.html") == {"http://203.0.113.7/a.png"}, "requests would not be seen"
    assert chromium.complaints("report.html") == []
    assert chromium.requests("report.html") == set()
