"""The tables of the stand-in for hcloud: that they speak the SDK's language; that they are true, their sources say."""

from typing import Any

import pytest

from tests.providers.hcloud import refusals
from tests.providers.hcloud.catalogue import LOCATIONS, SERVER_TYPES
from tests.providers.hcloud.hetzner_type import HetznerType
from tests.providers.hcloud.refusals import Refusal
from tests.providers.hcloud.replacements import REPLACES, UNORDERED
from tests.unit.providers.hetzner import CALL, Hetzner

HETZNER = Hetzner()
TYPES = {each.kind: each for each in HETZNER.package._types.values() if isinstance(each, HetznerType)}


def test_every_type_has_its_row_and_every_row_its_type() -> None:
    assert set(REPLACES) == set(TYPES)
    assert set(UNORDERED) <= set(TYPES)


@pytest.mark.parametrize("kind", sorted(REPLACES))
def test_a_row_names_inputs_that_the_sdk_has(kind: str) -> None:
    """A misspelt name would silently turn a replacement into an update."""
    inputs = TYPES[kind].schema.inputs
    named = {path.partition("[")[0].partition(".")[0] for path in UNORDERED.get(kind, ())}
    assert (REPLACES[kind] | named) - inputs == set()


def test_every_refusal_says_where_it_was_read() -> None:
    rows = {name: each for name, each in vars(refusals).items() if isinstance(each, Refusal)}
    assert rows
    assert [name for name, each in rows.items() if not each.source or not each.message] == []


def test_every_type_is_offered_in_places_that_there_are() -> None:
    assert {place for each in SERVER_TYPES for place in each.locations} == {each.name for each in LOCATIONS}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("getServerType", {"name": "cx43"}),
        ("getServerTypes", {}),
        ("getLocation", {"name": "ash"}),
        ("getLocations", {}),
        ("getImage", {"name": "debian-12", "withArchitecture": "arm"}),
        ("getServers", {"withSelector": "rakazo-stack=team", "withStatuses": ["running"]}),
    ],
)
def test_an_answer_has_everything_that_the_sdk_reads(name: str, arguments: dict[str, Any]) -> None:
    schema, function = HETZNER.package.function(f"hcloud:index/{name}:{name}")
    assert schema.check(dict(arguments)) == []
    assert schema.fitting(function(dict(arguments), CALL)) == []


def test_the_data_source_tells_never_offered_retired_and_sold_out_apart() -> None:
    """B030: what a preflight looks at."""
    hetzner = Hetzner()
    hetzner.project.catalogue.sell_out("cx43", "fsn1")
    _, function = hetzner.package.function("hcloud:index/getServerType:getServerType")
    places = {each["name"]: each["available"] for each in function({"name": "cx43"}, CALL)["locations"]}
    assert places == {"fsn1": False, "nbg1": True, "hel1": True}
    retired = function({"name": "cx22"}, CALL)
    assert retired["isDeprecated"]
    assert not any(each["available"] for each in retired["locations"])
