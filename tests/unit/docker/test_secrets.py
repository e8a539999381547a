"""The step that writes files of secrets."""

import pytest

from tests.unit.docker.conftest import Bench

FOLDER = "/var/lib/rakazo-infra/secrets"
"""Where they wait for the project to take them."""
USED = "/etc/rakazo-infra/secrets"
LINES = "kept ENCRYPTION_KEY=first\napi DATABASE_URL=postgres://a:b@c/d?e=f g\napi X=a$b\\n'\"\nworker Y=1\nend -\n"


def test_each_file_holds_its_lines_as_they_are_and_nobody_else_reads_it(bench: Bench) -> None:
    assert bench.step("secrets", stdin=LINES) == "3 files of secrets are on rakazo-1\n"
    assert bench.machine.text(f"{FOLDER}/api.env") == "DATABASE_URL=postgres://a:b@c/d?e=f g\nX=a$b\\n'\"\n"
    assert bench.machine.text(f"{FOLDER}/worker.env") == "Y=1\n"
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in bench.machine.path(FOLDER).iterdir()}
    assert set(modes.values()) == {"0o600"}
    assert oct(bench.machine.path(FOLDER).stat().st_mode & 0o777) == "0o700"


def test_the_encryption_key_stays_as_it_was_first_written(bench: Bench) -> None:
    """B122: with another one everything that was stored becomes unreadable."""
    bench.step("engine")
    bench.step("secrets", stdin=LINES)
    bench.step("project", "digest", "mark")
    assert bench.machine.text(f"{USED}/kept.env") == "ENCRYPTION_KEY=first\n"
    bench.step("secrets", stdin=LINES.replace("first", "second").replace("Y=1", "Y=2"))
    assert bench.machine.text(f"{FOLDER}/kept.env") == "ENCRYPTION_KEY=first\n"
    assert bench.machine.text(f"{FOLDER}/worker.env") == "Y=2\n"


def test_a_file_that_nobody_needs_any_more_is_gone(bench: Bench) -> None:
    bench.step("secrets", stdin=LINES)
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=x\napi X=1\nend -\n")
    assert sorted(path.name for path in bench.machine.path(FOLDER).iterdir()) == ["api.env", "kept.env"]


@pytest.mark.parametrize("told", ["", LINES.partition("worker")[0], LINES.removesuffix("-\n"), "end -\n"])
def test_secrets_that_were_cut_short_on_their_way_are_refused_and_the_old_ones_stay(bench: Bench, told: str) -> None:
    bench.step("secrets", stdin=LINES)
    assert "the secrets did not come whole" in bench.step("secrets", stdin=told, fails=True)
    assert bench.machine.text(f"{FOLDER}/worker.env") == "Y=1\n"
