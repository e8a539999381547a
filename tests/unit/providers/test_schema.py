"""What is derived from the installed SDKs, for every type that they have: a moved pin of `pulumi` cannot break it."""

import inspect
import re
from typing import Any

import pytest
from pulumi import _types

from tests.providers.failure import Failure
from tests.providers.hints import check_value, members
from tests.providers.schema import NoSuchTypeError, provider_schema, resource_schema, resource_tokens
from tests.providers.values import UNKNOWN, Secret

PACKAGES = ("command", "hcloud", "tls")
SERVER = "hcloud:index/server:Server"


def nested(hint: Any, seen: set[Any]) -> None:
    """Collect every input class below a hint; what cannot be resolved raises."""
    member: Any
    for member in members(hint):
        for argument in getattr(member, "__args__", ()):
            nested(argument, seen)
        if inspect.isclass(member) and _types.is_input_type(member) and member not in seen:
            seen.add(member)
            cls: type = member
            for inner in _types._raw_return_hints(cls).values():
                nested(inner, seen)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_type_of_a_package_has_inputs_and_outputs_that_can_be_walked(package: str) -> None:
    tokens = resource_tokens(package)
    assert tokens
    seen: set[Any] = set()
    for token in tokens:
        schema = resource_schema(token)
        nested(schema.arguments, seen)
        for hint in schema.outputs.values():
            nested(hint, seen)
        assert schema.always <= set(schema.outputs), token
    nested(provider_schema(package).arguments, seen)
    assert provider_schema(package).arguments in seen


@pytest.mark.parametrize("package", PACKAGES)
def test_the_required_inputs_are_the_ones_that_the_sdk_itself_asks_for(package: str) -> None:
    for token in resource_tokens(package):
        schema = resource_schema(token)
        module = inspect.getmodule(schema.arguments)
        assert module is not None
        cls = getattr(module, token.rpartition(":")[2])
        asked = set(re.findall(r"Missing required property '(\w+)'", inspect.getsource(cls._internal_init)))
        names = _types.input_type_py_to_pulumi_names(schema.arguments)
        assert {names[each] for each in asked} == _types._required_property_names(schema.arguments), token


def test_a_type_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(NoSuchTypeError, match="command:remote:Command"):
        resource_schema("command:remote:Comand")


def wrong(**inputs: Any) -> list[tuple[str, str]]:
    given = {"serverType": "cx43", **inputs}
    return [(each.path, each.reason) for each in resource_schema(SERVER).check(given, coerces=True)[1]]


@pytest.mark.parametrize(
    ("inputs", "path", "reason"),
    [
        ({"networks": [{"netwrkId": 1}]}, "networks[0].netwrkId", "no such property, did you mean 'networkId'?"),
        ({"publicNets": Secret([{"ipv4Enable": True}])}, "publicNets[0].ipv4Enable", "did you mean 'ipv4Enabled'?"),
        ({"sshKeys": "admin"}, "sshKeys", "expected a list, got a string"),
        ({"keepDisk": "perhaps"}, "keepDisk", "expected a boolean, got a string"),
        ({"labels": {"a": ["b"]}}, 'labels["a"]', "expected a string, got a list"),
        ({"serverType": None}, "serverType", "missing required property"),
    ],
)
def test_a_mistake_is_named_with_its_whole_path_and_a_suggestion(
    inputs: dict[str, Any], path: str, reason: str
) -> None:
    found = wrong(**inputs)
    assert [where for where, _ in found] == [path]
    assert reason in found[0][1]


def test_a_value_is_never_quoted() -> None:
    """The CLI redacts secrets in what it adds to a failure, not in the reason."""
    found = wrong(userData=Secret(["marker-77"]), labels={"a": {"b": "marker-77"}}, marker=1)
    assert len(found) == 3
    assert not any("marker-77" in reason for _, reason in found)


def test_the_unknown_fits_everywhere_and_numbers_may_be_written() -> None:
    schema = resource_schema(SERVER)
    given = {"serverType": UNKNOWN, "firewallIds": ["7", UNKNOWN], "keepDisk": "true", "placementGroupId": Secret("8")}
    assert schema.check(given, coerces=True) == (
        {"serverType": UNKNOWN, "firewallIds": [7, UNKNOWN], "keepDisk": True, "placementGroupId": Secret(8)},
        [],
    )


def test_a_provider_that_is_not_bridged_takes_no_number_for_a_text() -> None:
    schema = resource_schema("command:remote:Command")
    given = {"connection": {"host": "h", "port": "22"}, "create": 7, "logging": "loud"}
    assert {each.path for each in schema.check(given, coerces=False)[1]} == {"connection.port", "create", "logging"}


def test_of_several_types_the_one_that_was_meant_is_reported() -> None:
    both = int | list[str]
    assert check_value([1], both, "x", coerces=False)[1] == [
        Failure(path="x[0]", reason="expected a string, got a number")
    ]
