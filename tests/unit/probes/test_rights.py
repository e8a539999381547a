"""Which answers of the API server are faults, by name."""

import pytest

from probes import rights
from probes.rights import Right

COMPUTERS, APPLICATION = "computers", "application"
GRANTED = rights.granted(COMPUTERS)
REFUSED = rights.refused(COMPUTERS, APPLICATION)
EXACT = dict.fromkeys(GRANTED, True) | dict.fromkeys(REFUSED, False)


def faults(held: dict[Right, bool]) -> list[str]:
    return rights.faults(held, COMPUTERS, APPLICATION)


def test_what_is_granted_is_the_five_verbs_and_none_of_them_is_refused() -> None:
    """B103."""
    assert sorted(map(str, GRANTED)) == [
        "create pods in computers",
        "create pods/exec in computers",
        "delete pods in computers",
        "get pods in computers",
        "get pods/exec in computers",
    ]
    assert not GRANTED & REFUSED


@pytest.mark.parametrize(
    "way",
    [
        "list pods in computers",
        "create pods/attach in computers",
        "create pods/portforward in computers",
        "update pods/ephemeralcontainers in computers",
        "get secrets in computers",
        "create serviceaccounts/token in computers",
        "create services in computers",
        "create pods/exec in application",
        "get secrets in application",
        "escalate roles in computers",
        "create rolebindings in computers",
        "get nodes/proxy in the whole cluster",
        "impersonate users in the whole cluster",
    ],
)
def test_each_known_way_out_is_asked_about(way: str) -> None:
    assert way in set(map(str, REFUSED))


def test_the_five_verbs_and_nothing_else_are_no_fault() -> None:
    assert faults(EXACT) == []


@pytest.mark.parametrize("right", sorted(GRANTED), ids=str)
def test_each_missing_right_is_named(right: Right) -> None:
    assert faults(EXACT | {right: False}) == [f"missing: {right}"]


@pytest.mark.parametrize("right", sorted(REFUSED), ids=str)
def test_each_right_too_much_is_named(right: Right) -> None:
    assert faults(EXACT | {right: True}) == [f"too much: {right}"]


def test_a_right_that_was_not_asked_about_is_no_silent_no() -> None:
    with pytest.raises(KeyError):
        faults({})


def test_a_right_in_no_namespace_is_one_in_the_whole_cluster() -> None:
    assert str(Right(verb="get", resource="nodes", namespace="")) == "get nodes in the whole cluster"
