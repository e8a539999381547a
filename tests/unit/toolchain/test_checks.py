"""Each thing that can be wrong before or in a build is one error that says what to do."""

import re
import shutil
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from local.toolchain import ToolchainError, go
from local.toolchain.go import find_go, parse_version
from local.toolchain.program import Program
from local.toolchain.toolchain import Toolchain
from tests.unit.toolchain.conftest import FakeGo

CONSOLE = Console(file=StringIO())


def test_without_go_the_error_says_where_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(go, "OFFICIAL", str(tmp_path))
    with pytest.raises(ToolchainError, match=r"Go is not installed.*go\.dev/dl.*make tools"):
        find_go()


def test_an_old_go_is_refused_with_its_version_and_the_minimum(
    program: Program, fake_go: FakeGo, tmp_path: Path
) -> None:
    calls = fake_go(version="go1.26.2")
    toolchain = Toolchain((program,), find_go(), tmp_path)
    with pytest.raises(ToolchainError, match=r"too old: .*go1\.26\.2, tools/etcd/go\.mod needs 1\.26\.3"):
        toolchain.ensure(CONSOLE)
    assert calls.read_text() == ""


def test_a_full_disk_is_refused_with_the_space_that_is_needed(
    program: Program, fake_go: FakeGo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_go()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2_500_000_000))
    toolchain = Toolchain((program,), find_go(), tmp_path)
    with pytest.raises(ToolchainError, match=r"2\.5 GB are free .*go-build, and 1 programs need 4 GB"):
        toolchain.ensure(CONSOLE)
    assert calls.read_text() == ""


def test_a_failed_build_shows_the_end_of_its_log_and_where_it_is(
    program: Program, fake_go: FakeGo, tmp_path: Path
) -> None:
    fake_go(build="seq 1 100; echo 'main.go:7: undefined: Serve' >&2; exit 3")
    toolchain = Toolchain((program,), find_go(), tmp_path / "cache")
    with pytest.raises(ToolchainError, match=r"Building etcd v1\.0\.0 failed with exit status 3") as caught:
        toolchain.ensure(CONSOLE)
    message = str(caught.value)
    found = re.search(r"The last lines of (\S+):", message)
    assert found is not None
    assert Path(found[1]).read_text().startswith("1\n2\n")
    assert "main.go:7: undefined: Serve" in message
    assert "  85\n" not in message
    assert "  100\n" in message


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("go1.26.8", (1, 26, 8)), ("1.26", (1, 26, 0)), ("go1.27rc1", (1, 27, 0)), ("go1.9.1", (1, 9, 1))],
)
def test_versions_are_compared_as_numbers(text: str, numbers: tuple[int, int, int]) -> None:
    assert parse_version(text) == numbers
