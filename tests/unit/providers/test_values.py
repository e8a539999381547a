"""What crosses the wire and comes back."""

from typing import Any

import pytest

from tests.providers.values import UNKNOWN, UNKNOWNS, Secret, decode, encode, revealed, wrapped_like


@pytest.mark.parametrize(
    "properties",
    [
        {"a": {"b": [1, 2.5, True, "x", {"c": "d"}]}},
        {"secret": Secret({"inside": [Secret("deep"), UNKNOWN]})},
        {"empty": {}, "list": [], "text": "", "zero": 0, "no": False},
    ],
)
def test_what_is_encoded_is_decoded_as_it_was(properties: dict[str, Any]) -> None:
    assert decode(encode(properties)) == properties


def test_whole_numbers_are_whole_again_and_null_is_absent() -> None:
    """The wire has doubles only, and ids are made of numbers."""
    decoded = decode(encode({"id": 4711.0, "labels": {"gone": None}, "gone": None}))
    assert decoded == {"id": 4711, "labels": {}}
    assert isinstance(decoded["id"], int)


def test_every_sentinel_is_the_one_unknown() -> None:
    assert len(UNKNOWNS) == 7
    assert [decode(encode({"value": each}))["value"] for each in UNKNOWNS] == [UNKNOWN] * 7


def test_an_output_is_as_secret_as_the_input_of_its_name() -> None:
    inputs = {"connection": {"host": "h", "privateKey": Secret("k")}, "userData": Secret("u"), "name": "n"}
    outputs = {"connection": {"host": "h", "privateKey": "k"}, "userData": "digest", "name": "n", "id": "1"}
    assert wrapped_like(outputs, inputs) == {
        "connection": {"host": "h", "privateKey": Secret("k")},
        "userData": Secret("digest"),
        "name": "n",
        "id": "1",
    }


def test_a_secret_does_not_show_itself() -> None:
    assert "marker" not in repr(Secret("marker"))
    assert revealed({"a": [Secret({"b": Secret("marker")})]}) == {"a": [{"b": "marker"}]}
