"""A node is said to be ready by a pod that looks at its own kernel first."""

import os
import threading
from pathlib import Path

import pytest

from components.runtimes.installer.node import api, prove, stopping


class Cluster:
    """Takes labels, and ends the pod when it has one."""

    def __init__(self, told: threading.Event) -> None:
        self.labels: list[tuple[str, str, str | None]] = []
        self._told = told
        self.refuses = False

    def label(self, node: str, key: str, value: str | None) -> None:
        self._told.set()
        if self.refuses:
            raise api.ApiError("the API answers 403")
        self.labels.append((node, key, value))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cluster:
    told = threading.Event()
    made = Cluster(told)
    monkeypatch.setattr(stopping, "listen", lambda: told)
    monkeypatch.setattr(api, "label", made.label)
    monkeypatch.setattr(prove, "READY", tmp_path / "ready")
    for name, value in {"NODE_NAME": "computers", "LABEL": "rakazo-infra/gvisor", "LABEL_VALUE": "ready"}.items():
        monkeypatch.setenv(name, value)
    return made


def kernel_log(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dmesg = folder / "dmesg"
    dmesg.write_text(f"#!/bin/sh\necho '{line}'\n")
    dmesg.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_a_pod_on_the_nodes_own_kernel_says_nothing_about_the_node(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B045: a handler that is runc starts the prover as well."""
    kernel_log("[    0.000000] Linux version 6.18.5", tmp_path, monkeypatch)
    with pytest.raises(SystemExit, match="this pod does not run on gVisor"):
        prove.main()
    assert cluster.labels == []
    assert not prove.READY.exists()


def test_a_pod_under_gvisor_labels_its_node_and_takes_the_label_with_it(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel_log("[    0.000000] Starting gVisor...", tmp_path, monkeypatch)
    prove.main()
    key = "rakazo-infra/gvisor"
    assert cluster.labels == [("computers", key, "ready"), ("computers", key, None)]
    assert prove.READY.exists()


def test_a_pod_that_may_not_label_is_not_ready(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel_log("[    0.000000] Starting gVisor...", tmp_path, monkeypatch)
    cluster.refuses = True
    prove.main()
    assert not prove.READY.exists()
    assert "computers cannot be labelled: the API answers 403" in capsys.readouterr().out


def test_an_api_that_answers_late_is_asked_again_at_once(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a minute later only, as after a label, a node that was just made stays without computers."""
    kernel_log("[    0.000000] Starting gVisor...", tmp_path, monkeypatch)
    failures = [api.ApiError("the API does not answer: timed out"), OSError("no route to host")]
    waits: list[float] = []

    def label(node: str, key: str, value: str | None) -> None:
        if failures:
            raise failures.pop()
        cluster.label(node, key, value)

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return True

    monkeypatch.setattr(api, "label", label)
    monkeypatch.setattr(stopping.listen(), "wait", wait)
    prove.main()
    assert waits == [prove.RETRY_SECONDS, prove.RETRY_SECONDS, prove.ROUND_SECONDS]
    assert prove.READY.exists()
