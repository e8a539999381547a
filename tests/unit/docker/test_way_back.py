"""What ends a change of the project before it is done, and that what ran before runs again."""

import fcntl
from pathlib import Path

import pytest

from components.compose.service import ONCE
from components.docker.delivery import SCRIPTS
from components.machines.file import LIBRARY
from components.rakazo.docker_services import DOCKER_SERVICES
from tests.unit.docker.conftest import APP, Bench
from tests.unit.docker.test_project import COMPOSE, ENTRY, PLACED, compose, fail_on, running

USED = "/etc/rakazo-infra/secrets/kept.env"
STATE = "/var/lib/rakazo-infra"
ANOTHER = APP.replace("a" * 64, "b" * 64)
BACK = "the change did not work, and Rakazo runs as it did before"
AGAIN = "--file compose.yaml up --detach --quiet-pull --remove-orphans --wait --wait-timeout 20"
LASTING = "postgres supervisor api worker web"
KILL = 'read -r _ _ _ script _ <"/proc/$PPID/stat"; kill -KILL "$script" "$PPID"'


def on(bench: Bench, pattern: str, text: str) -> None:
    """Have Compose do something for some calls."""
    bench.machine.path(COMPOSE).unlink()
    program = f'#!/bin/sh\necho "compose $*" >>"$CALLS"\ncase "$*" in {pattern}) {text} ;; esac\n'
    bench.machine.write(COMPOSE, program).chmod(0o755)


def well(bench: Bench) -> None:
    on(bench, "nothing", "")


def changed(bench: Bench, **changes: str) -> str:
    """Run a change that fails, and return what it said."""
    bench.deliver(**{"compose": "name: rakazo # changed\n", **changes})
    return bench.step("project", "digest", "mark", fails=True)


def test_what_lasts_is_every_service_but_the_migration() -> None:
    """Prisma refuses every migration after one that failed, and what waits for one would not start."""
    names = " ".join(service.name for service in DOCKER_SERVICES if service.name != ONCE)
    assert names == LASTING
    assert f'LASTING="{LASTING}"\n' in Path(SCRIPTS, "back").read_text(encoding="utf-8")


def test_after_a_migration_that_failed_what_ran_before_runs_without_one(bench: Bench) -> None:
    running(bench)
    fail_on(bench, '*"--remove-orphans"*')
    said = changed(bench, release=ANOTHER)
    assert BACK in said
    assert "Rakazo runs without having migrated" in said
    assert compose(bench)[-2:] == [
        AGAIN,
        f"--file compose.yaml up --detach --no-deps --wait --wait-timeout 20 {LASTING}",
    ]
    assert bench.machine.text(PLACED) == "name: rakazo\n"


@pytest.mark.parametrize("service", ["worker", "api"])
def test_a_service_that_does_not_end_leaves_nobody_ended(bench: Bench, service: str) -> None:
    running(bench)
    fail_on(bench, f'*"stop {service}"*')
    said = changed(bench, release=ANOTHER)
    assert f"{service} does not stop" in said
    assert BACK in said
    assert compose(bench)[-1] == AGAIN


def test_a_file_that_cannot_be_placed_leads_back_too(bench: Bench) -> None:
    """As on a full disk."""
    running(bench)
    bench.machine.path(f"{PLACED}.rakazo-new").mkdir()
    assert BACK in changed(bench)
    ups = [call for call in bench.machine.calls("compose ") if "up --detach" in call]
    assert ["staged" in call for call in ups] == [True, False]
    assert bench.machine.text(PLACED) == "name: rakazo\n"


def test_the_way_back_is_gone_also_when_whoever_asked_is_gone(bench: Bench) -> None:
    """Ctrl-C, or a lost session: nobody reads what the script says any more."""
    running(bench)
    fail_on(bench, '*staged*"up --detach"*')
    bench.deliver(release=ANOTHER, compose="name: rakazo # changed\n")
    bench.machine.shell(f"'{bench.machine.root}{LIBRARY}/project' digest mark 2>&1 | true")
    assert compose(bench)[-1] == AGAIN
    assert not bench.machine.path(f"{STATE}/before").exists()


def test_a_way_back_that_fails_is_tried_again_by_a_start(bench: Bench) -> None:
    running(bench)
    fail_on(bench, '*"up --detach"*')
    said = changed(bench)
    assert "and neither did the way back, which is tried again by: systemctl restart rakazo" in said
    well(bench)
    bench.machine.forget_calls()
    bench.step("start")
    assert compose(bench) == [AGAIN], "what is left of the change is replaced"
    bench.machine.forget_calls()
    bench.step("start")
    assert "--no-recreate" in compose(bench)[0], "and that once"


def test_secrets_go_back_with_the_project_and_those_that_are_wanted_wait(bench: Bench) -> None:
    running(bench)
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=x\napi NEW=1\nend -\n")
    assert not bench.machine.path(USED).with_name("api.env").exists()
    fail_on(bench, '*staged*"up --detach"*')
    changed(bench)
    assert not bench.machine.path(USED).with_name("api.env").exists()
    well(bench)
    bench.step("project", "digest", "mark")
    assert bench.machine.path(USED).with_name("api.env").read_text() == "NEW=1\n"
    assert [name for name in ("secrets", "before") if bench.machine.path(f"{STATE}/{name}").exists()] == []


def test_secrets_of_a_first_start_that_fails_stay(bench: Bench) -> None:
    """The database has its password by then, and something may be encrypted."""
    bench.step("engine")
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=first\nend -\n")
    fail_on(bench, '*"up --detach"*')
    bench.step("project", "digest", "mark", fails=True)
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=second\nend -\n")
    well(bench)
    bench.step("project", "digest", "mark")
    assert bench.machine.text(USED) == "ENCRYPTION_KEY=first\n"


def test_a_change_that_was_killed_is_taken_back_at_the_next_start(bench: Bench) -> None:
    running(bench)
    bench.step("open")
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=x\napi NEW=1\nend -\n")
    on(bench, '*staged*"up --detach"*', KILL)
    changed(bench, isolation="second")
    assert bench.machine.path(USED).with_name("api.env").exists()
    assert not bench.machine.path(ENTRY).exists()
    well(bench)
    bench.machine.forget_calls()
    bench.step("start")
    assert compose(bench) == [AGAIN.replace(" up", " --file entry.yaml up")]
    assert not bench.machine.path(USED).with_name("api.env").exists()


def test_a_killed_change_that_fails_the_next_time_leads_back_to_what_ran_before_both(bench: Bench) -> None:
    running(bench)
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=x\napi NEW=1\nend -\n")
    on(bench, '*staged*"up --detach"*', KILL)
    changed(bench)
    fail_on(bench, '*staged*"up --detach"*')
    assert BACK in changed(bench)
    assert not bench.machine.path(USED).with_name("api.env").exists()


def test_another_isolation_starts_without_the_way_in(bench: Bench) -> None:
    running(bench)
    bench.step("open")
    bench.machine.forget_calls()
    bench.deliver(isolation="second", compose="name: rakazo # changed\n")
    bench.step("project", "digest", "mark")
    assert not bench.machine.path(ENTRY).exists()
    assert [call for call in compose(bench) if " up " in call and "entry.yaml" in call] == []


def test_when_another_isolation_fails_the_way_in_is_open_as_before(bench: Bench) -> None:
    running(bench)
    bench.step("open")
    fail_on(bench, '*staged*"up --detach"*')
    assert BACK in changed(bench, isolation="second")
    assert bench.machine.path(ENTRY).exists()
    assert compose(bench)[-1] == AGAIN.replace(" up", " --file entry.yaml up")


def test_the_isolation_that_was_proven_has_its_way_in_again_unless_it_was_closed(bench: Bench) -> None:
    """A run that was killed before the other one was proven: the engine takes the way in for open."""
    running(bench)
    bench.step("open")
    for isolation, is_open in (("second", False), ("first", True)):
        bench.deliver(isolation=isolation)
        bench.step("project", "digest", "mark")
        assert bench.machine.path(ENTRY).exists() is is_open
    bench.deliver(isolation="second")
    bench.step("project", "digest", "mark")
    bench.step("close")
    bench.deliver(isolation="first")
    bench.step("project", "digest", "mark")
    assert not bench.machine.path(ENTRY).exists()


def test_a_way_in_of_before_is_forgotten_when_another_one_opens(bench: Bench) -> None:
    running(bench)
    bench.step("open")
    bench.deliver(isolation="second")
    bench.step("project", "digest", "mark")
    bench.step("open")
    assert list(bench.machine.path(STATE).glob("entry.*")) == []


def test_a_start_waits_until_another_run_has_ended(bench: Bench) -> None:
    running(bench)
    bench.machine.patience = 0
    with bench.machine.path(f"{STATE}/lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "another run works on it" in bench.step("start", fails=True)
        bench.step("stop")


def test_the_project_lets_its_unit_start(bench: Bench) -> None:
    """Which waits for the lock that the project had."""
    bench.step("engine")
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=x\nend -\n")
    bench.machine.patience = 0
    bench.machine.program("systemctl", f'[ "$*" != "start rakazo" ] || exec "$RAKAZO_ROOT{LIBRARY}/start"')
    assert bench.step("project", "digest", "mark").endswith("Rakazo runs on rakazo-1\n")
