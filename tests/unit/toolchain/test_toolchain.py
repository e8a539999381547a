"""From the table to one directory of binaries, with a `go` that only writes files.

Limit: says nothing about whether the real programs build; `make tools` does.
"""

import tempfile
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from local.toolchain import ToolchainError
from local.toolchain.go import find_go
from local.toolchain.installed import installed_directory
from local.toolchain.program import Program
from local.toolchain.toolchain import Toolchain
from tests.unit.toolchain.conftest import FakeGo


def install(directory: Path, version: str) -> None:
    """Put an `etcd` with all its files into a directory."""
    directory.mkdir()
    for name in ("etcd", "etcd-server", "helper"):
        (directory / name).write_text(f"#!/bin/sh\necho {version}\n")
        (directory / name).chmod(0o755)


def test_everything_lies_in_one_directory_and_can_be_executed(
    program: Program, fake_go: FakeGo, tmp_path: Path
) -> None:
    fake_go()
    toolchain = Toolchain((program,), find_go(), tmp_path / "cache")
    directory = toolchain.ensure(Console(file=StringIO()))
    assert sorted(path.name for path in directory.iterdir()) == ["etcd", "etcd-server", "helper"]
    assert (directory / "etcd-server").read_text() == "binary\n"
    assert (directory / "helper").stat().st_mode & 0o777 == 0o755
    assert toolchain.bundle() == directory
    assert toolchain.binary("etcd-server").parent.parent.name == "etcd"


def test_a_second_call_builds_nothing_and_says_nothing(program: Program, fake_go: FakeGo, tmp_path: Path) -> None:
    calls = fake_go()
    output = StringIO()
    toolchain = Toolchain((program,), find_go(), tmp_path / "cache")
    toolchain.ensure(Console(file=output))
    first = output.getvalue()
    toolchain.ensure(Console(file=output))
    assert first.strip() == "built etcd v1.0.0 in 0 s"
    assert output.getvalue() == first
    assert len(calls.read_text().splitlines()) == 1


def test_only_the_program_whose_module_changed_is_built_again(
    program: Program, fake_go: FakeGo, tmp_path: Path
) -> None:
    calls = fake_go()
    other = replace(program, name="coredns", folder=tmp_path / "tools" / "coredns", links=(), copies=())
    other.folder.mkdir()
    (other.folder / "go.mod").write_text("module tools/coredns\n\ngo 1.26\n")
    toolchain = Toolchain((program, other), find_go(), tmp_path / "cache")
    before = toolchain.ensure(Console(file=StringIO()))
    (other.folder / "go.sum").write_text("example.org/coredns v2.0.0 h1:two\n")
    after = toolchain.ensure(Console(file=StringIO()))
    assert before != after
    outputs = [Path(line.split("-o ")[1].split()[0]).name for line in calls.read_text().splitlines()]
    assert sorted(outputs) == ["coredns", "coredns", "etcd"]


def test_a_program_that_is_not_built_names_the_command(program: Program, fake_go: FakeGo, tmp_path: Path) -> None:
    fake_go()
    toolchain = Toolchain((program,), find_go(), tmp_path / "cache")
    with pytest.raises(ToolchainError, match=r"etcd v1\.0\.0 is not built: run `make tools`"):
        toolchain.binary("etcd")
    with pytest.raises(ToolchainError, match=r"etcd v1\.0\.0 is not built: run `make tools`"):
        toolchain.bundle()


def test_an_unknown_program_lists_the_known_ones(program: Program, fake_go: FakeGo, tmp_path: Path) -> None:
    fake_go()
    toolchain = Toolchain((program,), find_go(), tmp_path / "cache")
    with pytest.raises(ToolchainError, match=r"named etdc .*it has etcd, etcd-server, helper\."):
        toolchain.binary("etdc")


@pytest.mark.parametrize("version", ["v1.0.0", "v1.0.1"])
def test_an_installed_program_is_used_only_in_the_pinned_version(
    program: Program, fake_go: FakeGo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    calls = fake_go()
    install(tmp_path / "installed", version)
    monkeypatch.setenv("PATH", str(tmp_path / "installed"), prepend=":")
    toolchain = Toolchain((replace(program, answers="version"),), find_go(), tmp_path / "cache")
    directory = toolchain.ensure(Console(file=StringIO()))
    assert bool(calls.read_text()) == (version != program.version)
    assert (directory / "etcd").is_file()


def test_an_installed_program_without_its_files_is_not_used(
    program: Program, fake_go: FakeGo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_go()
    install(tmp_path / "installed", "v1.0.0")
    (tmp_path / "installed" / "helper").unlink()
    monkeypatch.setenv("PATH", str(tmp_path / "installed"), prepend=":")
    toolchain = Toolchain((replace(program, answers="version"),), find_go(), tmp_path / "cache")
    toolchain.ensure(Console(file=StringIO()))
    assert len(calls.read_text().splitlines()) == 1


def test_asking_an_installed_program_for_its_version_leaves_nothing_at_home(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pulumi version` writes a log into its home even when it is told to check nothing."""
    home, temporary, place = tmp_path / "home", tmp_path / "temporary", tmp_path / "installed"
    for folder in (home, temporary):
        folder.mkdir()
    install(place, program.version)
    writes = 'home=${PULUMI_HOME:-$HOME/.pulumi}; mkdir -p "$home/logs"; touch "$home/logs/version"'
    (place / "etcd").write_text(f"#!/bin/sh\n{writes}; echo {program.version}\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("PULUMI_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    assert installed_directory(replace(program, answers="version"), tmp_path / "cache") == place
    assert list(home.iterdir()) == []
    assert list(temporary.iterdir()) == []
