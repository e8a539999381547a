"""What the pages of targets show is what the program takes, and asks for."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from stacks.load import read_settings
from stacks.secrets import NEEDED_BY, S3_KEYS, TAKEN_BY, write_line

ROOT = Path(__file__).parents[2]
PAGES = {page.stem: page for page in sorted((ROOT / "docs" / "targets").glob("*.md")) if page.stem != "README"}
assert PAGES, "no page of a target was found, so nothing would be tested"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def committed(target: str) -> dict[str, Any]:
    text = (ROOT / "stacks" / f"Pulumi.{target}.yaml").read_text(encoding="utf-8")
    settings: dict[str, Any] = yaml.safe_load(text)["config"]["rakazo:settings"]
    return settings


@pytest.mark.parametrize("target", PAGES)
def test_a_page_asks_for_every_secret_of_its_target_as_a_refusal_does(target: str) -> None:
    """B122: the first block is what somebody types."""
    typed = blocks(PAGES[target], "bash")[0].splitlines()
    wanted = {write_line(key).removeprefix("write: ") for key in (*NEEDED_BY[target], *TAKEN_BY[target])}
    assert wanted <= set(typed)
    assert typed[0].startswith("pulumi stack init")


def test_where_snapshots_are_explained_the_keys_of_a_bucket_are_asked_for_as_a_refusal_does() -> None:
    typed = [line for block in blocks(PAGES["server"], "bash") for line in block.splitlines()]
    assert {write_line(key).removeprefix("write: ") for key in S3_KEYS} <= set(typed)


@pytest.mark.parametrize("target", PAGES)
def test_what_a_page_says_to_write_is_accepted(target: str) -> None:
    """On top of the committed stack file."""
    for block in blocks(PAGES[target], "yaml"):
        settings, written = copy.deepcopy(committed(target)), yaml.safe_load(block)
        settings["target"].update(written.pop("target", {}))
        settings.update(written)
        outcome = read_settings(settings)
        assert not isinstance(outcome, list), (block, outcome)


@pytest.mark.parametrize("target", PAGES)
def test_a_page_names_every_committed_stack_file_of_its_target(target: str) -> None:
    text = PAGES[target].read_text(encoding="utf-8")
    files = [
        path.name for path in (ROOT / "stacks").glob("Pulumi.*.yaml") if path.name.split(".")[1].startswith(target)
    ]
    assert files
    assert [name for name in files if name not in text] == []


COSTS = [target for target, page in PAGES.items() if "## Cost per month" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("target", COSTS)
def test_every_price_has_a_date_and_a_source(target: str) -> None:
    """Unknown is said to be unknown, and never guessed."""
    row = re.compile(r"^\| [^|]*\| ([€$][0-9.]+|unknown) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
    prices = row.findall(PAGES[target].read_text(encoding="utf-8"))
    assert len(prices) >= 4
    known = [(date, source) for price, date, source in prices if price != "unknown"]
    assert known
    assert [pair for pair in known if not re.search(r"20[0-9]{2}", pair[0]) or len(pair[1]) < 10] == []
