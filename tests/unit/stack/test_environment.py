"""The environment of a cluster's shell: everything that its programs write lies in the cluster's folder."""

import os
import shutil
from pathlib import Path

import pytest

from local.checkout import PROJECT
from local.stack.environment import environment
from local.stack.folder import StackFolder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StackFolder:
    """A cluster's folder below a test's directory, on a machine with nothing on PATH but the system."""
    monkeypatch.setattr(StackFolder, "cluster", tmp_path / "cluster")
    monkeypatch.setitem(environment.__globals__, "path_entries", lambda: [tmp_path / "programs"])
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return StackFolder(name="unit")


def test_temporary_files_and_kubectls_cache_end_with_the_cluster(folder: StackFolder) -> None:
    """The Kubernetes plugin leaves an administrator's kubeconfig in TMPDIR at every run."""
    variables = environment(folder)
    temporary = Path(variables["TMPDIR"])
    assert temporary.stat().st_mode & 0o777 == 0o700
    for key in ("TMPDIR", "KUBECACHEDIR", "PULUMI_HOME", "KUBECONFIG"):
        assert Path(variables[key]).is_relative_to(folder.cluster), key


def test_a_minimal_path_leads_to_kubectl_and_rakazo_infra(folder: StackFolder, tmp_path: Path) -> None:
    path = environment(folder)["PATH"]
    assert path.split(os.pathsep)[:2] == [str(tmp_path / "programs"), str(PROJECT / ".venv" / "bin")]
    for program in ("kubectl", "rakazo-infra"):
        assert shutil.which(program, path=path) == str(PROJECT / ".venv" / "bin" / program)


def test_an_environment_within_an_environment_names_each_folder_once(
    folder: StackFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = environment(folder)["PATH"]
    monkeypatch.setenv("PATH", once)
    assert environment(folder)["PATH"] == once
