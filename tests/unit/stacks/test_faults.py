"""How a refused stack is told: where it is, what is wrong, what to write."""

from typing import Any

import pytest

from stacks.load import read_settings
from tests.unit.example import document


def told(settings: object) -> list[str]:
    faults = read_settings(settings)
    assert isinstance(faults, list)
    return faults


def test_a_misspelt_key_names_its_path_and_the_right_one() -> None:
    assert told(document(target__contxt="x")) == [
        "rakazo:settings.target.contxt is not a setting; did you mean context?"
    ]


def test_a_key_like_no_other_names_what_there_is() -> None:
    assert told(document(edge__tls=True)) == ["rakazo:settings.edge.tls is not a setting; it takes kind, web, api"]


@pytest.mark.parametrize("key", ["context", "kubeconfig", "storage"])
def test_a_missing_key_names_its_path_and_the_line_to_write(key: str) -> None:
    (fault,) = told(document(**{f"target__{key}": None}))
    assert fault.startswith(f"rakazo:settings.target.{key} is missing; write {key}: …  # ")


def test_null_is_told_apart_from_missing() -> None:
    """B014: a key without value is not a key that was left out."""
    settings = document()
    settings["target"]["context"] = None
    (fault,) = told(settings)
    assert fault.startswith("rakazo:settings.target.context must be text")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"runtime": {"kind": "gviser"}}, "rakazo:settings.runtime.kind is unknown; write one of gvisor, runc"),
        ({"runtime": {"handler": "x"}}, "rakazo:settings.runtime.kind is missing; write kind: and one of gvisor, runc"),
        ({"edge__kind": None}, "rakazo:settings.edge.kind is missing; write kind: and one of node-port"),
        ({"target__kind": "aks"}, "rakazo:settings.target.kind is unknown; write one of existing"),
        ({"runtime__handlr": "x"}, "rakazo:settings.runtime.handlr is not a setting; did you mean handler?"),
        (
            {"application__public": "x"},
            "rakazo:settings.application.public must be a mapping of keys, indented below it",
        ),
    ],
)
def test_variants_are_named_and_the_parser_s_own_path_is_not_shown(changes: dict[str, Any], fault: str) -> None:
    assert told(document(**changes)) == [fault]


def test_all_faults_are_told_at_once() -> None:
    faults = told(document(target__contxt="x", computers__cpu=2, edge__web=1))
    assert [fault.split(" ", 1)[0] for fault in faults] == [
        "rakazo:settings.target.contxt",
        "rakazo:settings.computers.cpu",
        "rakazo:settings.edge.web",
    ]


def test_no_settings_at_all_say_where_to_begin() -> None:
    (fault,) = told(None)
    assert fault.startswith("rakazo:settings is missing; start from stacks/Pulumi.local.yaml")


def test_a_refused_value_is_never_quoted() -> None:
    """B122: somebody may have put a secret where it does not belong."""
    secret = "hunter2-hunter2"
    changes: dict[str, Any] = {
        "target__context": {"password": secret},
        "images__app": secret,
        "application__public__host": f"{secret}!",
        "application__password": secret,
        "computers__maximum": secret,
        "runtime": {"kind": secret},
    }
    faults = told(document(**changes))

    assert len(faults) == len(changes)
    assert secret not in "".join(faults)
