"""The stack file of an embedded cluster: the committed one, completed with what only this machine knows."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from components.rakazo.ranges import NOT_PUBLIC
from local.checkout import PROJECT
from local.cluster import ClusterFolder, Facts, plan
from local.cluster.family import of_cluster
from local.stack import stack_file
from local.stack.folder import StackFolder
from stacks.settings import StackSettings

DIGEST = "1" * 64
IMAGES = {name: f"localhost/rakazo-stand-in/{name}@sha256:{DIGEST}" for name in ("app", "computer", "postgres")}


def completed(monkeypatch: pytest.MonkeyPatch, top: Path, *, dual_stack: bool, **changes: Any) -> dict[str, Any]:
    """Return the settings of a completed file for a cluster that was started with one or both families."""
    folder = StackFolder(name="unit")
    monkeypatch.setattr(StackFolder, "cluster", top / "unit")
    monkeypatch.setattr(StackFolder, "kubeconfig", PROJECT / ".local" / "unit" / "kubeconfig")
    facts = Facts(
        name="unit",
        id="0123abcd",
        api_port=1,
        door_port=2,
        fingerprint="",
        images={},
        addresses=plan.facts(of_cluster(dual_stack=dual_stack)),
        dual_stack=dual_stack,
    )
    folder.cluster.mkdir(parents=True)
    ClusterFolder("unit", root=top).save(facts)
    stack_file.complete(folder, IMAGES, 4242, changes)
    document = yaml.safe_load(folder.stack_file.read_text(encoding="utf-8"))
    settings: dict[str, Any] = document["config"]["rakazo:settings"]
    StackSettings.model_validate(settings)
    return settings


def committed() -> dict[str, Any]:
    document = yaml.safe_load(stack_file.COMMITTED.read_text(encoding="utf-8"))
    settings: dict[str, Any] = document["config"]["rakazo:settings"]
    return settings


def test_with_ipv4_alone_network_and_neighbours_are_the_committed_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = completed(monkeypatch, tmp_path, dual_stack=False)
    assert settings["target"]["network"] == committed()["target"]["network"]
    assert settings["proof"] == committed()["proof"]
    assert settings["application"]["public"]["port"] == 4242


def test_with_both_families_the_settings_hold_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = completed(monkeypatch, tmp_path, dual_stack=True)
    network = settings["target"]["network"]
    assert network["pods"] == ["10.42.0.0/16", "fd00:42::/56"]
    assert network["services"] == ["10.43.0.0/16", "fd00:43::/112"]
    assert network["nodes"] == ["10.10.0.0/24", "fd00:10::/64"]
    added = settings["proof"]["neighbours"][len(committed()["proof"]["neighbours"]) :]
    assert "[fd12:3456:789a::10]:80" in added
    assert all(neighbour.startswith("[") for neighbour in added)
    assert len(added) < len([blocked for blocked in NOT_PUBLIC if blocked.version == 6])


def test_a_change_of_the_caller_has_the_last_word(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"proof.neighbours": ["10.99.0.10:80"]}
    settings = completed(monkeypatch, tmp_path, dual_stack=True, **changes)
    assert settings["proof"]["neighbours"] == ["10.99.0.10:80"]
