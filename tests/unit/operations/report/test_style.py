"""The page's colours can be read: WCAG's contrast of 4.5 for text, on each background that it stands on."""

import re
from pathlib import Path

import pytest

from operations.report import html

SHEET = Path(html.__file__).with_name("page.css").read_text(encoding="utf-8")
NAMES = r"--([a-z-]+): (#[0-9a-f]+)"
DAY, NIGHT, PRINT = (dict(re.findall(NAMES, block)) for block in re.findall(r":root \{(.*?)\}", SHEET, re.DOTALL))
STATES = ("proven", "failed", "unchecked", "unprovable")
PAIRS = [
    *((text, ground) for text in ("ink", "soft", "link", *STATES) for ground in ("paper", "raised")),
    *((text, f"{state}-tint") for state in STATES for text in (state, "ink", "soft")),
]


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    wide = digits if len(digits) == 6 else "".join(2 * each for each in digits)
    parts = [int(wide[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [DAY, NIGHT, PRINT], ids=["day", "night", "print"])
def test_every_text_stands_out_from_every_ground_it_stands_on(colours: dict[str, str]) -> None:
    weak = {pair: round(got, 2) for pair in PAIRS if (got := contrast(colours[pair[0]], colours[pair[1]])) < 4.5}
    assert weak == {}


def test_the_measure_of_contrast_is_the_known_one() -> None:
    assert contrast("#fff", "#000000") == pytest.approx(21)
    assert contrast("#777", "#fff") == pytest.approx(4.48, abs=0.01)
