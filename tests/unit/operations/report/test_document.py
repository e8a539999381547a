"""The machine's form is stable: a script may rely on its keys."""

import json

from operations.report.document import as_document
from tests.unit.operations.report.example import DIGEST, evidence, example, looked


def test_the_document_has_exactly_these_keys() -> None:
    found = as_document(example())
    assert list(found) == [
        "schema_version",
        "date",
        "seconds",
        "verdict",
        "totals",
        "stack",
        "versions",
        "images",
        "claims",
    ]
    assert found["schema_version"] == 1
    assert found["date"] == "2026-11-29T22:14:03+00:00"
    assert found["seconds"] == 71.3
    assert found["verdict"]["state"] == "failed"
    assert found["totals"] == {"claims": 25, "failed": 3, "unchecked": 1, "unprovable": 3, "proven": 18}
    assert found["versions"]["kubernetes"] == "v1.36.3"
    assert found["versions"]["nodes"][1] == {
        "name": "computers",
        "kubelet": "v1.36.3",
        "container_runtime": "containerd://2.2.1",
    }
    assert {name: reference.partition("@")[2] for name, reference in found["images"].items()} == dict.fromkeys(
        ("application", "computer", "postgres"), DIGEST
    )


def test_a_claim_is_told_with_its_evidence() -> None:
    result = looked("out-a", "A.", evidence("web → x (10.0.0.1:80)", "open", False, "api: open"), seconds=1.26)
    (found,) = as_document(example(results=(result,)))["claims"]
    assert found == {
        "id": "out-a",
        "group": "out",
        "state": "failed",
        "sentence": "A.",
        "cause": "web → x (10.0.0.1:80): open",
        "reason": result.claim.reason,
        "method": result.claim.method,
        "control": result.claim.control,
        "remedy": result.claim.remedy,
        "seconds": 1.3,
        "evidence": [
            {
                "subject": "web → x (10.0.0.1:80)",
                "from": "web",
                "to": "x",
                "address": "10.0.0.1:80",
                "seen": "open",
                "control": "api: open",
                "holds": False,
            }
        ],
    }


def test_states_are_one_word_each_and_what_is_not_proven_has_a_cause() -> None:
    claims = as_document(example())["claims"]
    assert {each["state"] for each in claims} == {"proven", "failed", "unprovable", "unchecked"}
    assert [each["id"] for each in claims if bool(each["cause"]) is (each["state"] == "proven")] == []


def test_of_the_stack_only_what_is_listed_is_told() -> None:
    """A fact that is added later is told when somebody decides so."""
    assert sorted(as_document(example())["stack"]) == [
        "account",
        "api_servers",
        "application",
        "computers",
        "context",
        "denied_ranges",
        "last_screen_port",
        "maximum",
        "memory",
        "neighbours",
        "nodes",
        "pods",
        "runtime",
        "runtime_class",
        "services",
        "waits_for_policies",
    ]


def test_json_can_carry_it() -> None:
    found = as_document(example())
    assert json.loads(json.dumps(found)) == found
