"""The one file that stands in for k3s: what it is made of, and its commands that need no cluster."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from local.cache.content import file_digest
from tests import k3s
from tests.k3s import executable
from tests.k3s.program.refusal import Refusal

VERSION = "v1.36.2+k3s1"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return k3s.build(VERSION)


def run(file: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-I", file, *arguments], capture_output=True, text=True, check=False)


def test_the_same_sources_give_the_same_checksum(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    again = k3s.build(VERSION)
    assert again != file
    assert file_digest(again) == file_digest(file)
    assert file_digest(k3s.build("v1.35.6+k3s1")) != file_digest(file)


def test_the_file_can_be_executed_and_holds_no_byte_code_and_no_more_of_ours_than_it_needs(file: Path) -> None:
    assert file.stat().st_mode & 0o111
    assert file.read_bytes().startswith(b"#!/usr/bin/python3 -I\n")
    names = zipfile.ZipFile(file).namelist()
    others = [name for name in names if not name.startswith("tests/k3s/program/")]
    empty = [f"{name}/__init__.py" for name in executable.PACKAGES]
    assert sorted(others) == sorted(["__main__.py", *executable.BORROWED, *empty])
    assert not [name for name in names if name.endswith(".pyc")]


def test_it_says_the_version_that_it_was_built_with(file: Path) -> None:
    assert run(file, "--version").stdout.splitlines()[0].startswith(f"k3s version {VERSION} (")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["server", "--no-such-flag"], "flag provided but not defined: no-such-flag"),
        (["agent", "--cluster-init"], "cluster-init is a flag of `k3s server`"),
        (["completion"], "knows server, agent"),
        (["crictl", "rm"], "crictl: the stand-in for k3s knows info, pods, ps"),
        (["secrets-encrypt", "rotate"], "knows `status` alone"),
    ],
)
def test_what_it_does_not_know_is_refused_in_one_line(file: Path, arguments: list[str], complaint: str) -> None:
    done = run(file, *arguments)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "level=fatal" in done.stderr


def test_a_name_that_is_no_release_is_refused() -> None:
    with pytest.raises(Refusal, match="is no release of k3s"):
        k3s.build("latest")
