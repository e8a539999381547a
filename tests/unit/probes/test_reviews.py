"""What the API server's lists of rules mean."""

from types import SimpleNamespace
from typing import Any

import pytest

from probes.claims import identity_rights
from probes.claims.identity_rights import MOST, few, judge_right, of_rules, too_much
from probes.reviews import Rules, attributes, read_rules
from probes.rights import FIVE, FOR_EVERYBODY, Right, granted
from tests.unit.probes.example import facts

LISTING = Right(verb="list", resource="pods", namespace="computers")
MAKING = Right(verb="create", resource="pods", namespace="computers")
STATUS: dict[str, Any] = {
    "incomplete": False,
    "resourceRules": [
        {"verbs": ["create", "get"], "apiGroups": [""], "resources": ["pods", "pods/exec"]},
        {"verbs": ["get"], "apiGroups": ["apps"], "resources": ["deployments"], "resourceNames": ["web"]},
    ],
    "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/healthz"]}],
}


def test_a_list_of_rules_is_read_right_by_right() -> None:
    read = read_rules(STATUS)
    assert read.resources == {
        "create /pods",
        "get /pods",
        "create /pods/exec",
        "get /pods/exec",
        "get apps/deployments ['web']",
    }
    assert read.paths == {"get /healthz"}
    assert read.gap == ""


def test_a_list_with_a_gap_says_so() -> None:
    """Authorizers of a cloud cannot list their rules; that nothing was found proves nothing then."""
    assert read_rules({"incomplete": True, "evaluationError": "webhook"}).gap == "webhook"
    assert read_rules({"incomplete": True}).gap != ""


def test_a_subresource_is_asked_about_as_one() -> None:
    asked = attributes(Right(verb="get", resource="nodes/proxy", namespace=""))
    assert (asked["resource"], asked["subresource"]) == ("nodes", "proxy")


def test_the_five_verbs_are_the_granted_rights() -> None:
    """Two spellings of one list: the API server's and ours."""
    assert {f"{right.verb} {right.group}/{right.resource}" for right in granted("computers")} == FIVE


def test_only_what_nobody_else_has_is_too_much() -> None:
    common = Rules(resources=FOR_EVERYBODY, paths=frozenset({"get /healthz"}))
    account = Rules(
        resources=FOR_EVERYBODY | FIVE | {"list /secrets"}, paths=frozenset({"get /healthz", "get /metrics"})
    )
    assert too_much(account, common, FIVE) == ["get /metrics", "list /secrets"]
    assert too_much(common, common) == []


def test_a_found_rule_fails_and_a_gap_leaves_it_open() -> None:
    assert of_rules("x", ["list /secrets"], "", nothing="nothing", controlled=True).holds is False
    assert of_rules("x", ["list /secrets"], "webhook", nothing="nothing", controlled=True).holds is False
    assert of_rules("x", [], "webhook", nothing="nothing", controlled=True).holds is None
    assert of_rules("x", [], "", nothing="nothing", controlled=True).holds is True


def test_an_empty_list_proves_nothing_when_what_is_there_is_not_listed_either() -> None:
    assert of_rules("x", [], "", nothing="nothing", controlled=False).holds is None
    assert of_rules("x", ["list /secrets"], "", nothing="nothing", controlled=False).holds is False


@pytest.mark.parametrize(("listed", "holds"), [(FIVE, True), (frozenset(), None)])
def test_no_right_elsewhere_is_proven_by_a_list_that_has_the_five_verbs(
    monkeypatch: pytest.MonkeyPatch, listed: frozenset[str], holds: bool | None
) -> None:
    nothing = Rules(resources=FOR_EVERYBODY, paths=frozenset())
    home = Rules(resources=FOR_EVERYBODY | listed, paths=frozenset())
    computers = facts().computers
    monkeypatch.setattr(identity_rights, "account_client", lambda *_: None)
    monkeypatch.setattr(identity_rights, "_namespaces", lambda _scene: [computers, "default"])
    monkeypatch.setattr(identity_rights, "rules_everywhere", lambda *_: {computers: home, "default": nothing})
    monkeypatch.setattr(identity_rights, "rules", lambda *_: nothing)
    scene: Any = SimpleNamespace(facts=facts(), rakazo=None, operator=None)
    assert [each.holds for each in identity_rights._elsewhere(scene)] == [holds]


def test_a_long_list_stays_one_line() -> None:
    assert few(["a", "b"]) == "a, b"
    assert few([str(number) for number in range(MOST + 3)]).endswith("5 and 3 more")


def test_a_right_that_must_not_be_is_named_and_a_missing_one_too() -> None:
    wrong = judge_right(LISTING, needed=False, held=True, witness=MAKING)
    assert (wrong.subject, wrong.seen, wrong.holds) == ("list pods in computers", "yes, and must not be", False)
    assert judge_right(MAKING, needed=True, held=False, witness=None).seen == "no, and Rakazo needs it"


def test_a_no_counts_only_from_somebody_who_can_say_yes() -> None:
    assert judge_right(LISTING, needed=False, held=False, witness=MAKING).holds is True
    assert judge_right(LISTING, needed=False, held=False, witness=None).holds is None
