"""What is said about the variables and Secrets of a service."""

from typing import Any

import pytest

from probes.claims.secrets import judge, of_references, owner, references
from probes.facts import ServiceFacts
from tests.unit.example import example
from tests.unit.probes.example import facts

WEB = ServiceFacts(name="web", port=5173, holds=("HOME_URL", "KEY"), forbidden=("DATABASE_URL", "TOKEN"), token=False)
GOOD, PLANTED = {"HOME_URL", "KEY", "PATH"}, {"HOME_URL", "KEY", "PATH", "DATABASE_URL", "TOKEN"}
OWNERS = {
    "rakazo-api": ("api", frozenset({"DATABASE_URL"})),
    "rakazo-web": ("web", frozenset({"KEY"})),
    "shared": (None, frozenset({"TOKEN", "OTHER"})),
}


def test_exactly_what_it_needs_is_right() -> None:
    found = judge(WEB, GOOD, PLANTED)
    assert (found.holds, found.control) == (True, "with 2 planted: 2 found")
    assert found.seen == "all of 2 that it needs, none of 2 that it must not have"


@pytest.mark.parametrize(
    ("names", "seen"),
    [
        (GOOD | {"DATABASE_URL"}, "has DATABASE_URL"),
        (GOOD - {"KEY"}, "lacks KEY"),
        ({"PATH", "TOKEN"}, "has TOKEN and lacks HOME_URL, KEY"),
    ],
)
def test_each_variable_too_much_or_too_few_is_named(names: set[str], seen: str) -> None:
    found = judge(WEB, names, PLANTED)
    assert (found.holds, found.seen) == (False, seen)


def test_a_look_that_misses_what_was_planted_proves_nothing() -> None:
    assert judge(WEB, GOOD, GOOD).holds is None


def test_every_way_to_read_a_secret_is_seen() -> None:
    spec: dict[str, Any] = {
        "initContainers": [{"envFrom": [{"secretRef": {"name": "whole"}}, {"configMapRef": {"name": "no"}}]}],
        "containers": [
            {
                "env": [
                    {"name": "A", "valueFrom": {"secretKeyRef": {"name": "one", "key": "A"}}},
                    {"name": "B", "value": "text"},
                    {"name": "C", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
                ]
            }
        ],
        "ephemeralContainers": [{"env": [{"name": "E", "valueFrom": {"secretKeyRef": {"name": "late", "key": "E"}}}]}],
        "volumes": [
            {"name": "a", "emptyDir": {}},
            {"name": "b", "secret": {"secretName": "file"}},
            {"name": "c", "projected": {"sources": [{"secret": {"name": "projected"}}, {"configMap": {"name": "no"}}]}},
            {"name": "d", "csi": {"driver": "x", "nodePublishSecretRef": {"name": "driver"}}},
        ],
    }
    assert set(references(spec)) == {
        ("whole", None),
        ("one", "A"),
        ("late", "E"),
        ("file", None),
        ("projected", None),
        ("driver", None),
    }


@pytest.mark.parametrize(
    ("referred", "holds", "seen"),
    [
        ({("rakazo-web", "KEY")}, True, "reads rakazo-web"),
        ({("rakazo-web", "KEY"), ("shared", "OTHER")}, True, "reads rakazo-web, shared"),
        ({("rakazo-api", "DATABASE_URL")}, False, "reads DATABASE_URL of Secret rakazo-api, which is api's"),
        ({("rakazo-api", None)}, False, "reads Secret rakazo-api, which is api's"),
        ({("shared", "TOKEN")}, False, "reads TOKEN of Secret shared"),
        ({("shared", None)}, False, "reads TOKEN of Secret shared"),
        (set[tuple[str, str | None]](), True, "reads no Secret"),
    ],
)
def test_a_service_reads_its_own_secret_and_what_is_not_forbidden_of_shared_ones(
    referred: set[tuple[str, str | None]], holds: bool, seen: str
) -> None:
    found = of_references("web", referred, OWNERS, WEB.forbidden, "12 references found in all")
    assert (found.holds, found.seen) == (holds, seen)


def test_when_no_pod_refers_to_anything_the_look_may_be_blind() -> None:
    assert of_references("web", set(), OWNERS, (), "").holds is None


def test_every_secret_of_the_stack_has_an_owner_but_the_one_that_several_read() -> None:
    """The claim knows a service's Secret by this label alone."""
    secrets = {each.metadata["name"]: owner({"metadata": each.metadata}) for each in example().of_kind("Secret")}
    shared = [name for name, (whose, _) in secrets.items() if whose is None]
    assert shared == ["rakazo-encryption-key"]
    assert {whose for whose, _ in secrets.values() if whose} >= {each.name for each in facts().application_services}
