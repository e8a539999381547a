"""How a refused stack is told: where it is, what is wrong, what to write."""

from collections.abc import Iterator
from typing import Any

import pytest

from stacks.load import read_settings
from tests.unit.example import document


def told(settings: object) -> list[str]:
    faults = read_settings(settings)
    assert isinstance(faults, list)
    return faults


def paths(section: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in section.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from paths(value, (*above, key))


def read(path: tuple[str, ...], value: object) -> list[str]:
    settings = document()
    section = settings
    for key in path[:-1]:
        section = section.setdefault(key, {})
    section[path[-1]] = value
    faults = read_settings(settings)
    return faults if isinstance(faults, list) else []


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
        ({"runtime": {"kind": "gviser"}}, "rakazo:settings.runtime.kind is unknown; write one of gvisor, kata, runc"),
        (
            {"runtime": {"handler": "x"}},
            "rakazo:settings.runtime.kind is missing; write kind: and one of gvisor, kata, runc",
        ),
        ({"edge__kind": None}, "rakazo:settings.edge.kind is missing; write kind: and one of node-port"),
        (
            {"target__kind": "aks"},
            "rakazo:settings.target.kind is unknown; write one of digitalocean, eks, existing, gke, hetzner, server",
        ),
        ({"runtime__handlr": "x"}, "rakazo:settings.runtime.handlr is not a setting; did you mean handler?"),
        (
            {"application__public": "x"},
            "rakazo:settings.application.public must be a mapping of keys, indented below it",
        ),
    ],
)
def test_variants_are_named_and_the_parser_s_own_path_is_not_shown(changes: dict[str, Any], fault: str) -> None:
    assert told(document(**changes)) == [fault]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"application__web_replicas": 1}, "application.web_replicas must be at least 2; write web_replicas: 2"),
        ({"application__web_replicas": 21}, "application.web_replicas must be at most 20; write web_replicas: 20"),
        (
            {"application__web_replicas": None, "computers__maximum": 0},
            "computers.maximum must be more than 0; write maximum: 1",
        ),
        ({"application__web_replicas": []}, "application.web_replicas must be a whole number"),
        ({"application__web_replicas": float("nan")}, "application.web_replicas must be a whole number"),
        ({"application__public__port": 65536}, "application.public.port must be at most 65535; write port: 65535"),
        (
            {"application__public__scheme": "ftp"},
            "application.public.scheme must be https or http; write scheme: https",
        ),
        (
            {"runtime__tolerations": [{"key": "a", "value": "b", "effect": "None"}]},
            "runtime.tolerations[0].effect must be NoSchedule or NoExecute; write effect: NoSchedule",
        ),
        ({"images__postgres_major": 18}, "images.postgres_major must be 16; write postgres_major: 16"),
        (
            {"target__network__services": []},
            "target.network.services has too few entries, at least 1 is needed; write services: …  # Service ranges.",
        ),
        (
            {"target__dns": {"pod_labels": {}}},
            (
                "target.dns.pod_labels has too few entries, at least 1 is needed; write pod_labels: …  # Labels of the "
                "DNS pods. At least one: none would allow every pod of the namespace."
            ),
        ),
        (
            {"target__kubeconfig": ""},
            (
                "target.kubeconfig must not be empty; write kubeconfig: …  # Path of the kubeconfig, relative to the "
                "project's root. The ambient one is never used."
            ),
        ),
        (
            {"runtime__handler": "Run sc"},
            "runtime.handler must match ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$; write handler: runsc",
        ),
    ],
)
def test_a_value_outside_its_limits_is_told_with_the_limit_and_the_line_to_write(
    changes: dict[str, Any], fault: str
) -> None:
    assert told(document(**changes)) == [f"rakazo:settings.{fault}"]


def test_no_fault_is_told_in_the_parsers_own_words() -> None:
    """Every key of the settings, with values that no key takes."""
    wrong: tuple[Any, ...] = (-1, 2**20, "", "\n", [], {}, [[]], True, 0.5, None)
    faults = {
        fault
        for path in paths(document(target__dns={"namespace": "x"}, computers__nodes={"count": 1}))
        for value in wrong
        for fault in read(path, value)
    }

    assert len(faults) > 50
    assert [fault for fault in faults if "nput should" in fault or "should have" in fault or "valid" in fault] == []


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
