"""What holds for every file of the repository; proves nothing about what the files do."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIMIT = 250
GENERATED = {
    "go.mod": "written by `go mod tidy`: one line for each module of a program that is not ours",
    "go.sum": "written by `go mod tidy`: one checksum for each of them",
    "uv.lock": "written by `uv lock`",
    "schema.json": "written by `make schema` from the settings models",
    "example-report.html": "written by `rakazo-infra verify --report` on the embedded cluster",
}
"""The only files that may be longer, and why nobody can split them; documents are read, not run."""


def _tracked(*endings: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    files = [ROOT / name for name in listed.split("\0") if name.endswith(endings)]
    assert files, f"no file ends with {endings}, so nothing would be checked"
    return [file for file in files if file.is_file()]


def test_no_source_file_is_longer_than_250_lines() -> None:
    """One noun per file, whatever its language; a longer file holds two."""
    files = [file for file in _tracked("") if file.suffix != ".md" and file.name not in GENERATED]
    kinds = {file.suffix or file.name for file in files}
    assert {".py", ".go", ".toml", ".yaml", ".sh", "Makefile", "Containerfile", "node", "run"} <= kinds
    long = {
        str(file.relative_to(ROOT)): lines
        for file in files
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > LIMIT
    }
    assert long == {}, "split these by noun"


def test_every_exception_of_the_limit_is_still_needed() -> None:
    """An exception for a file that is gone would hide the next file of that name."""
    assert {file.name for file in _tracked(*GENERATED) if file.name in GENERATED} == set(GENERATED)


def test_no_module_is_named_after_nothing() -> None:
    """A module is named after what it makes."""
    vague = {"utils", "helpers", "common", "misc", "util", "helper"}
    assert [file for file in _tracked(".py") if file.stem in vague] == []


def test_every_test_is_collected() -> None:
    """A file with tests whose name pytest does not match would be dead and nobody would see it."""
    uncollected = [
        str(file.relative_to(ROOT))
        for file in _tracked(".py")
        if file.is_relative_to(ROOT / "tests")
        and not file.name.startswith("test_")
        and re.search(r"^(async )?def test_", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert uncollected == []


def test_nothing_is_skipped_or_expected_to_fail() -> None:
    """A skipped test is a claim that is not proven."""
    mark = re.compile(r"pytest\.(mark\.)?(skip|xfail|importorskip)|skipif")
    skipped = [
        str(file.relative_to(ROOT))
        for file in _tracked(".py")
        if file.is_relative_to(ROOT / "tests")
        and file != Path(__file__)
        and mark.search(file.read_text(encoding="utf-8"))
    ]
    assert skipped == []


def test_nothing_sleeps_for_a_fixed_time_in_a_test() -> None:
    """Waits are for a condition with a deadline; the one sleep allowed is the pause between two looks."""
    bare = [
        str(file.relative_to(ROOT))
        for file in _tracked(".py")
        if file.is_relative_to(ROOT / "tests")
        and re.search(r"time\.sleep\(([1-9]|[0-9]{2,})", file.read_text(encoding="utf-8"))
    ]
    assert bare == []
