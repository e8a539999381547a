"""The key of a result: equal inputs find it again, any other input builds anew."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from local.toolchain.go import Go
from local.toolchain.program import Copy, Program
from local.toolchain.slot import program_slot

GO = Go(Path("/go"), "go1.26.8", "linux", "amd64", Path("/cache"))


def key(program: Program, go: Go) -> str:
    """Return the last part of the path of the program's slot."""
    return program_slot(program, go, Path("/tools")).directory.name


def test_the_same_sources_in_another_checkout_have_the_same_key(program: Program, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for file in program.folder.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    assert key(replace(program, folder=other), GO) == key(program, GO)


@pytest.mark.parametrize("name", ["go.mod", "go.sum", "main.go", "shim/main.go"])
def test_a_changed_or_added_file_changes_the_key(program: Program, name: str) -> None:
    before = key(program, GO)
    file = program.folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("changed")
    assert key(program, GO) != before


CHANGES: dict[str, Callable[[Program], Program]] = {
    "package": lambda program: replace(program, package="./cmd"),
    "variables": lambda program: replace(program, variables=(("main.version", "v1"),)),
    "tags": lambda program: replace(program, tags=("netgo",)),
    "cgo": lambda program: replace(program, cgo=True),
    "links": lambda program: replace(program, links=()),
    "copies": lambda program: replace(program, copies=(Copy("a", PurePosixPath("b")),)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_flag_changes_the_key(program: Program, change: str) -> None:
    assert key(CHANGES[change](program), GO) != key(program, GO)


@pytest.mark.parametrize("fact", ["version", "system", "architecture"])
def test_another_compiler_changes_the_key(program: Program, fact: str) -> None:
    other = {"version": "go1.26.9", "system": "darwin", "architecture": "arm64"}
    changed = Go(**{**vars(GO), fact: other[fact]})
    assert key(program, changed) != key(program, GO)


def test_the_place_of_go_does_not_matter(program: Program) -> None:
    moved = replace(GO, executable=Path("/opt/go"), build_cache=Path("/tmp/cache"))
    assert key(program, moved) == key(program, GO)
