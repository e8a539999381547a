"""A module of one program and a `go` that is a shell script, both thrown away with the test."""

import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from local.toolchain.program import Copy, Program

FakeGo = Callable[..., Path]

SCRIPT = """#!/bin/sh
case "$1" in
env) echo '{facts}' ;;
list) echo '{modules}' ;;
build)
  echo "$@" >> '{calls}'
  {build}
  while [ "$1" != -o ]; do shift; done
  echo binary > "$2" ;;
esac
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Describe a program with a link and a copied file."""
    folder = tmp_path / "tools" / "etcd"
    folder.mkdir(parents=True)
    (folder / "go.mod").write_text("module tools/etcd\n\ngo 1.26.3\n")
    (folder / "go.sum").write_text("example.org/etcd v1.0.0 h1:one\n")
    script = tmp_path / "modules" / "scripts" / "helper"
    script.parent.mkdir(parents=True)
    script.write_text("#!/bin/sh\n")
    script.chmod(0o444)
    return Program(
        name="etcd",
        folder=folder,
        package=".",
        module="example.org/etcd",
        version="v1.0.0",
        links=("etcd-server",),
        copies=(Copy("example.org/scripts", PurePosixPath("scripts/helper")),),
    )


@pytest.fixture
def fake_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeGo:
    """Put a `go` on PATH and return the file that lists its builds, a line each."""

    def put(*, version: str = "go1.26.8", build: str = "true") -> Path:
        calls = tmp_path / "calls"
        calls.touch()
        directory = tmp_path / "bin"
        directory.mkdir()
        facts = {
            "GOVERSION": version,
            "GOOS": "linux",
            "GOARCH": "amd64",
            "GOCACHE": str(tmp_path / "go-build"),
        }
        script = SCRIPT.format(facts=json.dumps(facts), modules=tmp_path / "modules", calls=calls, build=build)
        (directory / "go").write_text(script)
        (directory / "go").chmod(0o755)
        monkeypatch.setenv("PATH", f"{directory}:/usr/bin:/bin")
        return calls

    return put
