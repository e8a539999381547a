"""The YAML that documents show is accepted as it stands, with names and digests in place of the marks for them."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from stacks.images import ImagesSettings
from stacks.load import read_settings
from stacks.schema import render_schema
from stacks.secrets import HEX_KEYS, PASSWORDS, write_line
from stacks.settings import StackSettings

ROOT = Path(__file__).parents[2]
TARGETS = ROOT / "docs" / "targets.md"
MARKS = {"<registry>": "registry.test", "<64 hex digits>": "0" * 64}


def blocks(page: Path, language: str) -> list[str]:
    """Return a page's blocks in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def only_yaml(page: Path) -> dict[str, Any]:
    """Return the page's one YAML block with its marks replaced."""
    (block,) = blocks(page, "yaml")
    for mark, value in MARKS.items():
        assert mark in block, f"{page.name} no longer has {mark}"
        block = block.replace(mark, value)
    assert "<" not in block, "a mark is left that nobody replaces"
    loaded: dict[str, Any] = yaml.safe_load(block)
    return loaded


def test_the_images_of_the_readme_are_all_that_a_release_needs() -> None:
    """A reader who writes exactly this has a complete section."""
    document = only_yaml(ROOT / "README.md")
    assert set(document) == {"images"}
    assert isinstance(ImagesSettings.model_validate(document["images"]), ImagesSettings)


def test_the_stack_file_of_the_targets_page_is_accepted() -> None:
    """By the program, and by the schema that its first line gives to editors."""
    document = only_yaml(TARGETS)
    settings = read_settings(document["config"]["rakazo:settings"])
    assert isinstance(settings, StackSettings), settings
    assert list(settings.warnings()) == []
    jsonschema.validate(document, json.loads(render_schema()))


def test_the_stack_file_of_the_targets_page_uses_no_default_provider() -> None:
    """B004: an object without explicit provider is an error, not a deployment to the ambient cluster."""
    assert only_yaml(TARGETS)["config"]["pulumi:disable-default-providers"] == ["kubernetes"]


def test_what_the_targets_page_says_about_secrets_is_what_the_program_asks_for() -> None:
    """B122: every required secret, each with the command that a refusal names."""
    (block,) = blocks(TARGETS, "bash")
    *commands, last = block.splitlines()
    assert commands == [write_line(key).removeprefix("write: ") for key in (*HEX_KEYS, *PASSWORDS)]
    assert last == "pulumi up"


@pytest.mark.parametrize("key", ["app", "computer", "postgres"])
def test_the_readme_and_the_targets_page_name_the_same_images(key: str) -> None:
    targets = only_yaml(TARGETS)["config"]["rakazo:settings"]
    assert only_yaml(ROOT / "README.md")["images"][key] == targets["images"][key]
