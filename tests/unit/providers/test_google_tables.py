"""The tables of the stand-in for gcp: that they speak the SDK's language; that they are true, their sources say."""

from typing import Any

import pytest

from tests.providers.difference import forcing
from tests.providers.gcp import refusals
from tests.providers.gcp.google_type import GoogleType
from tests.providers.gcp.refusals import Refusal
from tests.providers.gcp.replacements import REPLACES, UNORDERED
from tests.providers.hints import members
from tests.unit.providers.google import CALL, Google

GOOGLE = Google()
TYPES = {each.kind: each for each in GOOGLE.package._types.values() if isinstance(each, GoogleType)}


def test_every_type_has_its_row_and_every_row_its_type() -> None:
    assert set(REPLACES) == set(TYPES)
    assert set(UNORDERED) <= set(TYPES)


def properties(arguments: Any) -> dict[str, Any]:
    """Return wire name to type of what a class of the SDK's arguments has."""
    from pulumi import _types

    found: dict[str, Any] = _types._raw_return_hints(arguments)
    return found


@pytest.mark.parametrize("kind", sorted(REPLACES))
def test_a_row_names_inputs_that_the_sdk_has(kind: str) -> None:
    """A misspelt name would silently turn a replacement into an update."""
    for path in [*REPLACES[kind], *UNORDERED.get(kind, ())]:
        arguments: Any = TYPES[kind].schema.arguments
        for part in path.split("."):
            hints = properties(arguments)
            assert part in hints, f"{kind}: {path}"
            arguments = next(iter(members(hints[part])), None)


def test_every_refusal_says_where_it_was_read() -> None:
    rows = {name: each for name, each in vars(refusals).items() if isinstance(each, Refusal)}
    assert len(rows) > 20
    assert [name for name, each in rows.items() if not each.source or not each.message] == []


@pytest.mark.parametrize(
    ("changed", "forces"),
    [
        ("nodeConfig.machineType", frozenset()),
        ("nodeConfig.sandboxConfig.type", frozenset({"nodeConfig"})),
        ("nodeConfig.oauthScopes[0]", frozenset({"nodeConfig"})),
        ("nodeConfig", frozenset({"nodeConfig"})),
        ("nodeConfiguration", frozenset()),
        ("name", frozenset({"name"})),
    ],
)
def test_a_part_of_an_input_may_force_a_replacement(changed: str, forces: frozenset[str]) -> None:
    assert forcing([changed], REPLACES["node pool"]) == forces


def test_an_answer_has_everything_that_the_sdk_reads() -> None:
    google = Google()
    google.subnetwork(google.network())
    for token, arguments in (
        ("gcp:container/getEngineVersions:getEngineVersions", {"location": "europe-west3-a", "versionPrefix": "1."}),
        ("gcp:compute/getSubnetwork:getSubnetwork", {"name": "nodes", "region": "europe-west3"}),
    ):
        schema, function = google.package.function(token)
        assert schema.check(dict(arguments)) == []
        assert schema.fitting(function(dict(arguments), CALL)) == []
