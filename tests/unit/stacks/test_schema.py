"""The committed JSON schema and the stack files that name it."""

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from stacks.schema import FILE, render_schema

STACKS = sorted(FILE.parent.glob("Pulumi.*.yaml"))
assert STACKS, "no stack file found, so nothing would be tested"


def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(render_schema())
    return loaded


@functools.cache
def validator() -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


def test_the_committed_schema_is_current() -> None:
    assert FILE.read_text() == render_schema(), "run: python -m stacks.schema"


@pytest.mark.parametrize("path", STACKS, ids=lambda path: path.name)
def test_a_stack_file_names_the_schema_for_editors(path: Path) -> None:
    assert path.read_text().splitlines()[0] == "# yaml-language-server: $schema=schema.json"


@pytest.mark.parametrize("path", STACKS, ids=lambda path: path.name)
def test_a_stack_file_matches_the_schema(path: Path) -> None:
    validator().validate(yaml.safe_load(path.read_text()))


CLOUDS = {"hetzner": ["hcloud"], "digitalocean": ["digitalocean"], "eks": ["aws"], "gke": ["gcp"]}
"""Kind of target to the packages that order something there."""


@pytest.mark.parametrize("path", STACKS, ids=lambda path: path.name)
def test_a_stack_file_uses_no_default_provider(path: Path) -> None:
    """B004: an object without explicit provider is an error, not a deployment to the ambient cluster."""
    config = yaml.safe_load(path.read_text())["config"]
    own = CLOUDS.get(config["rakazo:settings"]["target"]["kind"], [])
    assert config["pulumi:disable-default-providers"] == ["kubernetes", *own]


def test_a_misspelt_key_fails_in_the_editor_too() -> None:
    document = yaml.safe_load(STACKS[0].read_text())
    document["config"]["rakazo:settings"]["target"]["contxt"] = "x"
    (fault,) = validator().iter_errors(document)
    told = [each.message for each in fault.context or []]  # one list for all kinds of targets
    assert [message for message in told if "contxt" in message]


def test_a_secret_in_plain_text_fails_in_the_editor() -> None:
    document = yaml.safe_load(STACKS[0].read_text())
    document["config"]["rakazo:encryption_key"] = "plain"
    with pytest.raises(jsonschema.ValidationError):
        validator().validate(document)


def test_every_setting_is_explained_in_the_schema() -> None:
    silent = [
        f"{name}.{key}"
        for name, model in schema()["$defs"].items()
        for key, field in model.get("properties", {}).items()
        if not field.get("description")
    ]
    assert silent == []
