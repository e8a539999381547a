"""The steps that make the project run, and open and close its way in."""

from tests.unit.docker.conftest import APP, Bench

PLACED = "/etc/rakazo-infra/compose.yaml"
ENTRY = "/etc/rakazo-infra/entry.yaml"
COMPOSE = "/usr/local/lib/rakazo-docker/compose"
SECRETS = "kept ENCRYPTION_KEY=x\nend -\n"


def compose(bench: Bench) -> list[str]:
    """Return what Compose was told, with the places of files cut to their names."""
    found = []
    for call in bench.machine.calls("compose "):
        words = [word.rpartition("/")[2] if "/" in word else word for word in call.split()]
        found.append(" ".join(words).removeprefix("compose --project-name rakazo --progress plain "))
    return found


def fail_on(bench: Bench, pattern: str) -> None:
    """Have Compose fail for some calls."""
    bench.machine.path(COMPOSE).unlink()
    text = f'#!/bin/sh\necho "compose $*" >>"$CALLS"\ncase "$*" in {pattern}) echo "it fails" >&2; exit 1 ;; esac\n'
    bench.machine.write(COMPOSE, text).chmod(0o755)


def running(bench: Bench) -> None:
    bench.step("engine")
    bench.step("secrets", stdin=SECRETS)
    bench.step("project", "digest", "mark")
    bench.machine.forget_calls()


def test_the_project_is_brought_up_and_waited_for_and_comes_back_by_itself(bench: Bench) -> None:
    bench.step("engine")
    assert bench.step("project", "digest", "mark").endswith("Rakazo runs on rakazo-1\n")
    up = "up --detach --quiet-pull --remove-orphans --wait --wait-timeout 20"
    assert compose(bench)[-2:] == ["--file compose.yaml config --quiet", f"--file compose.yaml {up}"]
    assert bench.machine.text(PLACED) == "name: rakazo\n"
    assert "systemctl --quiet enable rakazo" in bench.machine.calls("systemctl")
    assert int(bench.machine.text("/proc/sys/fs/inotify/max_user_instances")) >= 1024, "B044"
    assert "ExecStart=/usr/local/lib/rakazo-infra/start" in bench.machine.text("/etc/systemd/system/rakazo.service")


def test_the_same_release_is_changed_without_stopping_anybody_first(bench: Bench) -> None:
    running(bench)
    bench.deliver(compose="name: rakazo # changed\n")
    bench.step("project", "digest", "mark")
    assert [call for call in compose(bench) if " stop " in call] == []
    assert bench.machine.text(PLACED) == "name: rakazo # changed\n"


def test_another_release_ends_worker_and_api_before_the_database_is_migrated(bench: Bench) -> None:
    """B127: some releases rename what the old ones still use."""
    running(bench)
    bench.deliver(release=APP.replace("a" * 64, "b" * 64), compose="name: rakazo # newer\n")
    bench.step("project", "digest", "mark")
    told = [call.removeprefix("--file compose.yaml ").split(" --")[0] for call in compose(bench)]
    assert told == ["config", "stop worker", "stop api", "up"]


def test_a_change_that_fails_leaves_what_was_there_running(bench: Bench) -> None:
    running(bench)
    fail_on(bench, '*staged*"up --detach"*')
    bench.deliver(compose="name: rakazo # broken\n")
    said = bench.step("project", "digest", "mark", fails=True)
    assert "the change did not work, and Rakazo runs as it did before" in said
    assert "it fails" in said
    ups = [call for call in bench.machine.calls("compose ") if "up --detach" in call]
    assert ["staged" in call for call in ups] == [True, False]
    assert bench.machine.text(PLACED) == "name: rakazo\n"


def test_a_first_start_that_fails_says_so_and_places_nothing(bench: Bench) -> None:
    bench.step("engine")
    fail_on(bench, '*"up --detach"*')
    said = bench.step("project", "digest", "mark", fails=True)
    assert "Rakazo did not start; the lines above say which service is not well" in said
    assert not bench.machine.path(PLACED).exists()


def test_who_is_not_well_is_shown_with_its_last_words_and_nobody_else(bench: Bench) -> None:
    bench.step("engine")
    states = (
        "migrate|exited||0\\nworker|running||0\\napi|restarting||1\\nweb|running|healthy|0\\npostgres|exited||137\\n"
    )
    text = f"""#!/bin/sh
case "$*" in
*"ps --all"*) printf '{states}' ;;
*logs*) for word in "$@"; do :; done; echo "words of $word" ;;
*"up --detach"*) exit 1 ;;
esac
"""
    bench.machine.path(COMPOSE).unlink()
    bench.machine.write(COMPOSE, text).chmod(0o755)
    said = bench.step("project", "digest", "mark", fails=True).splitlines()
    assert said[:4] == [
        "api: restarting  (exit code 1). Its last words:",
        "words of api",
        "postgres: exited  (exit code 137). Its last words:",
        "words of postgres",
    ]


def test_a_project_that_compose_does_not_take_stops_nobody(bench: Bench) -> None:
    running(bench)
    fail_on(bench, '*"config --quiet"*')
    bench.deliver(release="another")
    assert "Compose does not take the project" in bench.step("project", "digest", "mark", fails=True)
    assert [call for call in compose(bench) if " stop " in call] == []


def test_images_of_releases_before_are_taken_away_when_nobody_uses_them(bench: Bench) -> None:
    running(bench)
    bench.machine.write("/var/lib/rakazo-infra/images", f"{APP}\nold@sha256:1\nused@sha256:2\n")
    bench.machine.program("docker", 'case "$*" in "image rm used"*) exit 1 ;; esac')
    bench.step("project", "digest", "mark")
    assert bench.machine.text("/var/lib/rakazo-infra/images") == f"{APP}\nused@sha256:2\n"
    assert "docker image rm old@sha256:1" in bench.machine.calls("docker")
    assert f"docker image rm {APP}" not in bench.machine.calls("docker")


def test_the_way_in_is_a_file_that_compose_reads_while_it_is_open(bench: Bench) -> None:
    running(bench)
    bench.step("open")
    assert bench.machine.path(ENTRY).exists()
    assert compose(bench) == [
        "--file compose.yaml --file entry.yaml up --detach --no-deps --wait --wait-timeout 20 web"
    ]
    bench.step("project", "digest", "mark")
    assert all("--file entry.yaml" in call for call in compose(bench)), "a change leaves it open"


def test_a_closed_way_in_is_gone_also_after_a_start_of_the_machine(bench: Bench) -> None:
    running(bench)
    bench.step("open")
    bench.machine.forget_calls()
    bench.step("close")
    assert not bench.machine.path(ENTRY).exists()
    bench.step("start")
    assert all("entry.yaml" not in call for call in compose(bench))
    bench.step("close")


def test_a_port_that_somebody_else_has_is_told_and_web_goes_on_without_it(bench: Bench) -> None:
    running(bench)
    fail_on(bench, "*entry.yaml*")
    said = bench.step("open", fails=True)
    assert "write another one under edge.web" in said
    assert not bench.machine.path(ENTRY).exists()
    assert compose(bench)[-1] == "--file compose.yaml up --detach --no-deps web"


def test_after_a_start_of_the_machine_nothing_is_made_anew(bench: Bench) -> None:
    running(bench)
    bench.step("start")
    lasting = "postgres supervisor api worker web"
    assert compose(bench) == [
        f"--file compose.yaml up --detach --no-recreate --no-deps --wait --wait-timeout 20 {lasting}"
    ]


def test_at_the_end_of_the_machine_every_service_gets_a_minute(bench: Bench) -> None:
    running(bench)
    bench.step("stop")
    assert compose(bench) == ["--file compose.yaml stop --timeout 60"]


def test_a_machine_whose_project_never_came_up_starts_and_stops_in_peace(bench: Bench) -> None:
    bench.step("engine")
    bench.machine.forget_calls()
    bench.step("start")
    bench.step("stop")
    bench.step("close")
    assert compose(bench) == []
