"""What every verb owes a person: an example that parses, exit codes, and a next command that exists."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from local.checkout import PROJECT
from operations import command_line
from operations.exit_codes import EXIT_CODES, UNHEALTHY

ROOT = typer.main.get_command(command_line.app)
SOURCES = [*PROJECT.glob("operations/**/*.py"), *PROJECT.glob("local/**/*.py")]
TARGETS = set(re.findall(r"^([a-z]+)(?: [a-z]+)*:", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def commands(group: Any = ROOT, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each group and verb with the words that lead to it."""
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


GROUPS = [(path, command) for path, command in commands() if hasattr(command, "commands")]
VERBS = [(path, command) for path, command in commands() if not hasattr(command, "commands")]


def exists(words: list[str]) -> bool:
    """Whether these words are a verb, or the group `local` as a whole."""
    return words == ["local"] or any(tuple(words[: len(path)]) == path for path, _ in VERBS)


@pytest.mark.parametrize(("path", "command"), VERBS, ids=[" ".join(path) for path, _ in VERBS])
def test_every_verb_shows_an_example_that_its_own_options_accept(path: tuple[str, ...], command: Any) -> None:
    found = re.search(r"Example: (?:eval \"\$\()?rakazo-infra ([^)\n]*)", command.epilog or "")
    assert found is not None, f"{' '.join(path)} has no line that begins with `Example: rakazo-infra`"
    words = shlex.split(found[1])
    assert tuple(words[: len(path)]) == path
    command.make_context(path[-1], words[len(path) :])


@pytest.mark.parametrize(("path", "command"), GROUPS, ids=[" ".join(path) or "root" for path, _ in GROUPS])
def test_every_group_says_what_exit_codes_mean(path: tuple[str, ...], command: Any) -> None:
    assert command.epilog == EXIT_CODES
    assert f"{UNHEALTHY} status" in EXIT_CODES


def test_every_command_that_is_printed_or_suggested_exists() -> None:
    """Also in errors: a hint that leads nowhere is worse than none."""
    unknown, seen = [], 0
    for file in SOURCES:
        text = file.read_text(encoding="utf-8")
        suggested = re.findall(r"(?:`|Example: |\$\()rakazo-infra ((?:local )?[a-z]+)", text)
        suggested += [f"local {name}" for name in re.findall(r"local_command\(\"([a-z]+)\"", text)]
        lines = re.findall(r"`make ([a-z]+)|\"make ([a-z]+)|f\"make ([a-z]+)", text)
        seen += len(suggested) + len(lines)
        unknown += [f"{file.name}: rakazo-infra {words}" for words in suggested if not exists(words.split())]
        unknown += [f"{file.name}: make {''.join(found)}" for found in lines if "".join(found) not in TARGETS]
    assert seen > 20, "the patterns find no commands any more"
    assert unknown == []


@pytest.mark.parametrize("name", ["host", "tools", "images", "up", "down", "status", "logs"])
def test_every_verb_that_does_something_ends_with_the_next_command(name: str) -> None:
    """`env` is read by a shell; `deploy` has a list."""
    text = "".join(
        (PROJECT / "operations" / file).read_text(encoding="utf-8") for file in ("local.py", "local_stack.py")
    )
    body = re.split(r"^(?:@|def )", text.partition(f"\ndef {name}(")[2], maxsplit=1, flags=re.MULTILINE)[0]
    assert re.search(r"next: \{|_print_status", body), f"{name} does not say what to do next"


def test_a_temporary_folder_that_ended_with_its_cluster_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shell in which `make down` was typed still names it; nothing could be built from there."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command_line._forget_removed_temporary_folder()
    assert os.environ["TMPDIR"] == str(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "gone"))
    command_line._forget_removed_temporary_folder()
    assert "TMPDIR" not in os.environ
