"""Docker computers on a whole Linux machine: the real CLI, SSH, systemd, Docker Engine and Compose; images are pulled.

The application is the stand-in. The tests are one life of the machine, in their order.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local import images
from tests.deployments import changes as did
from tests.deployments import steps
from tests.estate_docker import MADE, NAME, SERVICES, EstateDocker, estate_docker
from tests.estate_stack import CONSOLE
from tests.expected_plan import check_plan
from tests.later_release import MENDED, fails_halfway, later
from tests.machines.registry import reference

pytestmark = pytest.mark.timeout(900)
MARK = "/data/of-somebody"
PORT = "5173/tcp -> 127.0.0.1:5173\n"
LASTING = ["api", "supervisor", "web", "worker"]  # of the application's image


@pytest.fixture(scope="module")
def host() -> Iterator[EstateDocker]:
    with estate_docker() as made:
        yield made


def plan_of(host: EstateDocker, changes: dict[str, Any], name: str) -> None:
    """Compare what a change would do with the committed file, and do nothing."""
    host.write(changes)
    plan = steps(host.stack.pulumi.must("preview", "--json"))
    host.write()
    check_plan("docker", name, plan)


def anew(host: EstateDocker, changes: dict[str, Any], what: str) -> set[str]:
    """Make a change that stays, and return the services that were made anew."""
    before = host.containers()
    host.settings.update(changes)
    host.write()
    outcome = host.up(what)
    assert outcome.code == 0, f"{outcome.diagnostics}\n{host.journal()}"
    after = host.containers()
    assert set(after) == set(SERVICES)
    return {name for name in after if after[name] != before[name]}


def of_release(host: EstateDocker) -> list[str]:
    """Return which services run with the image that the stack file says."""
    told = host.docker("ps", "--no-trunc", "--format", '{{.Label "com.docker.compose.service"}} {{.Image}}')
    app = host.settings["images"]["app"]
    return sorted(line.removesuffix(f" {app}") for line in told.splitlines() if line.endswith(f" {app}"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"runtime": {"kind": "gvisor"}}, "runtime.kind: gvisor does not go with computers.kind: docker"),
        ({"target.docker.version": "24.0.9"}, "rakazo:settings.target.docker.version is older than 26.0"),
        ({"target.kind": "gke"}, "computers.kind: docker does not go with target.kind: gke"),
        ({"computers.kind": None}, "target.docker is written, and computers.kind is not docker"),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    host: EstateDocker, changes: dict[str, Any], says: str
) -> None:
    host.write(changes)
    outcome = host.stack.pulumi.run("preview")
    host.write()
    assert outcome.code != 0, outcome.output
    assert says in outcome.output, outcome.output
    assert host.there(*MADE) == []


def test_another_archive_than_the_pinned_one_is_refused(host: EstateDocker) -> None:
    host.write({"target.docker.sha256": "1" * 64})
    outcome = host.stack.up()
    host.write()
    assert outcome.code != 0, outcome.output
    assert "sha256" in outcome.output, outcome.output
    assert host.there("/usr/local/lib/rakazo-docker/current") == []


def test_a_preview_says_what_computers_need_and_that_they_share_the_kernel(host: EstateDocker) -> None:
    said = host.stack.pulumi.must("preview")
    assert "about 4 GiB for Rakazo and 512Mi for each of 4 computers, 6 GiB together" in said
    assert "computers share the machine's kernel" in said


def test_it_comes_up_and_is_proven_before_the_way_in_opens(host: EstateDocker) -> None:
    outcome = host.up("first up")
    assert outcome.code == 0, f"{outcome.diagnostics}\n{host.journal()}"
    assert "claims proven" in outcome.output, outcome.output
    assert host.there(*MADE) == list(MADE)
    assert set(host.containers()) == set(SERVICES), "a computer of the proof is left"
    assert host.docker("port", "rakazo-web-1") == PORT


def test_what_is_up_needs_no_change(host: EstateDocker) -> None:
    """B001."""
    outcome = host.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_the_command_proves_and_lists_every_claim_over_ssh(host: EstateDocker) -> None:
    done = host.verified("--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    states = {each["id"]: each["state"] for each in told["claims"]}
    assert len(states) == told["totals"]["claims"] > 60
    assert set(states.values()) <= {"proven", "unprovable"}
    assert (states["kernel-shared"], states["out-machine"], states["in-published"]) == ("proven",) * 3
    leaks = [key for key, value in host.secrets.items() if value.strip() in done.stdout + done.stderr]
    assert leaks == []


def test_a_variable_touches_the_service_that_it_is_about(host: EstateDocker) -> None:
    host.docker("exec", "rakazo-api-1", "sh", "-c", f"echo kept >{MARK}")
    change = {"application.signup_allowlist": ["@example.com", "@example.org"]}
    plan_of(host, change, "variable")
    assert anew(host, change, "another variable") == {"api"}


def test_a_limit_touches_the_supervisor_and_is_proven_before_the_way_in_opens_again(host: EstateDocker) -> None:
    """Web is made anew since its port goes and comes."""
    change = {"computers": {**host.settings["computers"], "pids": 300}}
    plan_of(host, change, "limit")
    assert anew(host, change, "another limit") == {"supervisor", "web"}


def test_a_secret_touches_who_holds_it(host: EstateDocker) -> None:
    host.stack.pulumi.must("config", "set", "--secret", "rakazo:better_auth_secret", stdin="0f1e2d3c4b5a6978" * 4)
    plan = steps(host.stack.pulumi.must("preview", "--json"))
    check_plan("docker", "secret", plan)
    assert anew(host, {}, "another secret") == {"api"}


def test_another_release_is_migrated_and_keeps_all_data(host: EstateDocker, tmp_path: Path) -> None:
    """B127."""
    image = later(images.ensure(CONSOLE, ["app"])["app"], tmp_path, "later")
    host.estate.registry.serve([image])
    change = {"images": {**host.settings["images"], "app": reference(image)}}
    plan_of(host, change, "release")
    assert anew(host, change, "another release") == {"migrate", "supervisor", "api", "worker", "web"}
    assert host.docker("exec", "rakazo-api-1", "cat", MARK) == "kept\n"
    old = [line for line in host.docker("images", "--digests").splitlines() if "/app" in line]
    assert len(old) == 1, "the image of the release before is still there"


def test_a_release_that_does_not_start_leaves_the_old_one_running(host: EstateDocker) -> None:
    """The image of Postgres has no program of Rakazo's in it."""
    wrong = {"images": {**host.settings["images"], "app": host.settings["images"]["postgres"]}}
    host.write(wrong)
    outcome = host.up("a release that does not start")
    assert outcome.code != 0, outcome.output
    assert "the change did not work, and Rakazo runs as it did before" in outcome.output, outcome.output
    assert of_release(host) == LASTING
    assert host.docker("port", "rakazo-web-1") == PORT
    assert anew(host, {}, "the old release again") <= set(SERVICES)


def test_a_release_whose_migration_fails_halfway_leaves_the_old_one_running(host: EstateDocker, tmp_path: Path) -> None:
    """Also after a start of the machine: the database takes no migration any more, not even the old release's."""
    image = fails_halfway(images.ensure(CONSOLE, ["app"])["app"], tmp_path)
    host.estate.registry.serve([image])
    host.write({"images": {**host.settings["images"], "app": reference(image)}})
    outcome = host.up("a migration that fails halfway")
    assert outcome.code != 0
    for said in ("the migration failed halfway", "Rakazo runs without having migrated", "runs as it did before"):
        assert said in outcome.output, outcome.output
    assert of_release(host) == LASTING
    assert host.docker("port", "rakazo-web-1") == PORT
    host.machine.run(["systemctl", "restart", "rakazo"], seconds=600)
    assert of_release(host) == LASTING
    host.docker("exec", "rakazo-postgres-1", "psql", "--username=rakazo", f"--command={MENDED}")
    assert anew(host, {}, "the old release after all") <= set(SERVICES)


def test_an_image_that_is_not_there_stops_nothing(host: EstateDocker) -> None:
    before = host.containers()
    lost = host.settings["images"]["app"].rpartition("@")[0] + f"@sha256:{'0' * 64}"
    host.write({"images": {**host.settings["images"], "app": lost}})
    outcome = host.stack.up()
    host.write()
    assert outcome.code != 0
    assert f"{lost} cannot be had" in outcome.output, outcome.output
    assert host.containers() == before
    assert did(host.up("nothing has happened").output).keys() <= {"updated", "created", "deleted", "replaced"}


def test_another_docker_touches_the_engine_and_what_is_proven(host: EstateDocker) -> None:
    plan_of(host, {"target.docker.version": "28.5.3"}, "engine")


def test_no_secret_is_in_the_state_the_plan_or_on_a_command_line(host: EstateDocker) -> None:
    """B008, B009: nor in units, logs and what Docker tells of another service."""
    readable = "cat /proc/[0-9]*/cmdline | tr '\\0' ' '; cat /etc/systemd/system/*.service /etc/rakazo-infra/*.yaml"
    texts = {
        "state": host.stack.state(),
        "plan": host.stack.pulumi.must("preview", "--json"),
        "command lines, units and project": host.machine.run(["sh", "-c", readable]).stdout,
        "journal": host.machine.run(["journalctl", "--no-pager"]).stdout,
        "web": host.docker("inspect", "rakazo-web-1"),
        "outputs": host.stack.pulumi.must("stack", "output", "--json"),
    }
    leaks = [
        f"{key} in {where}"
        for key, value in host.secrets.items()
        for form in (value, base64.b64encode(value.encode()).decode(), json.dumps(value)[1:-1])
        for where, text in texts.items()
        if form in text and (where, key) != ("web", "rakazo:screen_proxy_secret")
    ]
    assert leaks == []


def test_files_of_secrets_are_roots_alone(host: EstateDocker) -> None:
    told = host.machine.run(["sh", "-c", "stat -c '%a %U %n' /etc/rakazo-infra/secrets /etc/rakazo-infra/secrets/*"])
    lines = told.stdout.splitlines()
    assert lines[0] == "700 root /etc/rakazo-infra/secrets"
    assert {line.split(" ")[0] for line in lines[1:]} == {"600"}
    assert len(lines) == len(SERVICES) + 2, "one per service, and what never changes"


def test_destroy_takes_everything_off_the_machine(host: EstateDocker) -> None:
    """B011: it stays somebody's machine, and is as it was."""
    outcome = host.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert host.there(*MADE) == []
    running = host.machine.run(["ps", "-eo", "args"]).stdout
    assert [name for name in ("dockerd", "containerd-shim", "rakazo") if name in running] == [], running
    links = host.machine.run(["ip", "-o", "link"]).stdout
    assert [name for name in ("rakazo-", "docker0", "veth") if name in links] == [], links
    for tables in ("iptables-save", "ip6tables-save"):
        rules = host.machine.run([tables]).stdout
        assert [line for line in rules.splitlines() if "rakazo" in line or "DOCKER" in line] == []
        assert ":FORWARD ACCEPT" in rules or ":FORWARD" not in rules
    assert host.machine.name == NAME
