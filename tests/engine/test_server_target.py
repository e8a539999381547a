"""The target `server` on a whole Linux machine: the real CLI, SSH, systemd and gVisor, and a stand-in for k3s alone.

One machine holds both pools, so computers share it with Rakazo; nothing is proven here of a machine of their own. The
tests are one life of the machine, in their order.
"""

import base64
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest

from local.checkout import PROJECT
from tests.deployments import changes, steps
from tests.estate_server import NAME, EstateServer, estate_server, host_key, machine_settings
from tests.estate_stack import GVISOR, K3S, UP, VERSION
from tests.machines import apt_archive, apt_lock

pytestmark = pytest.mark.timeout(900)
STEP_SECONDS = 120.0
OURS = ("/usr/local/lib/rakazo-infra", "/var/lib/rakazo-infra")
MADE = (
    *OURS,
    "/etc/rakazo-infra",
    "/etc/rancher/k3s",
    "/var/lib/rancher/k3s/server",
    "/usr/local/bin/k3s",
    "/usr/local/bin/runsc",
    "/usr/local/lib/gvisor",
    "/etc/systemd/system/k3s.service",
)
"""What the stack puts on a machine."""
OTHER_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGW9vD8okZggNaKtJt+fILyhz6DKU8T9haeEEQC7yNb4"


@pytest.fixture(scope="module")
def server() -> Iterator[EstateServer]:
    with estate_server() as made:
        yield made


def there(server: EstateServer, paths: tuple[str, ...]) -> list[str]:
    """Return which of the paths exist on the machine."""
    return [path for path in paths if server.machine.run(["test", "-e", path], check=False).returncode == 0]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.admin_cidrs": ["0.0.0.0/0"]}, "rakazo:settings.target.admin_cidrs"),
        ({"target.network": {"pods": "10.42.0.0/16", "services": "10.42.0.0/24"}}, "overlap"),
        (
            {
                "target.machines": [
                    machine_settings(OTHER_KEY),
                    {**machine_settings(OTHER_KEY[:-1] + "5"), "name": "b", "address": "192.175.48.102"}
                    | {"private_address": "10.0.1.12"},
                ]
            },
            "two servers",
        ),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    server: EstateServer, changes: dict[str, object], says: str
) -> None:
    """B038, B041: an open door, ranges that collide, a database without a majority."""
    server.write(changes)
    outcome = server.stack.pulumi.run("preview")
    server.write()
    assert outcome.code != 0, outcome.output
    assert says in outcome.output, outcome.output
    assert there(server, OURS) == []


def test_a_machine_that_shows_another_host_key_is_told_nothing(server: EstateServer) -> None:
    server.write({"target.machines": [machine_settings(OTHER_KEY)]})
    outcome = server.stack.up()
    server.write()
    assert outcome.code != 0, outcome.output
    assert "host key" in outcome.output.lower(), outcome.output
    assert there(server, MADE) == []


def test_an_apt_that_somebody_holds_is_waited_for(server: EstateServer) -> None:
    """As by the upgrades of a machine's first minutes. The run ends after it, since the mirror answers 404."""
    apt_archive.take_away(server.machine, "bzip2")
    apt_lock.hold(server.machine, STEP_SECONDS)
    server.estate.mirror.fail(GVISOR, "404")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(server.stack.up)
        try:
            apt_lock.wait_for_refusal(server.machine)
            assert there(server, ("/usr/bin/bzip2",)) == []
        finally:
            apt_lock.release(server.machine)
        outcome = running.result()
    server.estate.mirror.heal(GVISOR)
    assert outcome.code != 0, outcome.output
    assert f"the mirror answers 404 for {server.estate.mirror.url}/{quote(GVISOR, safe='/')}" in outcome.output
    assert there(server, ("/usr/bin/bzip2", "/usr/local/bin/k3s")) == ["/usr/bin/bzip2"], outcome.output


@pytest.mark.parametrize(("path", "fault", "says"), [(GVISOR, "truncated", "gvisor"), (K3S, "truncated", "k3s")])
def test_a_download_that_fails_is_told_and_nothing_of_it_is_used(
    server: EstateServer, path: str, fault: str, says: str
) -> None:
    """The mirror cuts a file short; once it is well the same command goes on."""
    server.estate.mirror.fail(path, fault)  # type: ignore[arg-type]
    outcome = server.stack.up()
    server.estate.mirror.heal(path)
    assert outcome.code != 0, outcome.output
    assert f"{server.estate.mirror.url}/{quote(path, safe='/')}" in outcome.output, outcome.output
    assert says in outcome.output
    assert there(server, ("/usr/local/bin/k3s",)) == []


def test_another_file_than_the_pinned_one_is_refused(server: EstateServer) -> None:
    server.write({"target.k3s": {**server.settings["target.k3s"], "sha256": "1" * 64}})
    outcome = server.stack.up()
    server.write()
    assert outcome.code != 0, outcome.output
    assert "sha256" in outcome.output, outcome.output
    assert there(server, ("/usr/local/bin/k3s",)) == []


def test_a_killed_run_on_a_machine_that_loses_power_is_finished_by_the_next(server: EstateServer) -> None:
    """SSH is refused for the first half minute after that, as while a machine boots."""
    command = [*server.stack.pulumi.command(*UP), "--non-interactive"]
    with subprocess.Popen(
        command,
        cwd=PROJECT,
        env=server.stack.pulumi.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as running:
        deadline = time.monotonic() + STEP_SECONDS
        while not there(server, ("/etc/systemd/system/k3s.service",)):
            assert running.poll() is None, "it ended before k3s was installed"
            assert time.monotonic() < deadline, server.journal()
            time.sleep(0.2)
        server.machine.reset()
        os.killpg(running.pid, signal.SIGKILL)
    server.machine.hold_ssh(30)
    outcome = server.stack.up()
    assert outcome.code == 0, f"{outcome.diagnostics}\n{server.journal()}"
    assert "claims proven" in outcome.output


def test_what_is_up_needs_no_change(server: EstateServer) -> None:
    """B001: scripts, checksums and the kubeconfig are the same every time."""
    outcome = server.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_one_changed_setting_is_one_update(server: EstateServer) -> None:
    server.settings["application.web_replicas"] = 3
    server.write()
    assert steps(server.stack.pulumi.must("preview", "--json")) == {"update": ["rakazo-web"]}
    outcome = server.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert changes(outcome.output) == {"updated": 1}


def test_another_release_of_gvisor_touches_the_machine_and_is_proven_again(server: EstateServer) -> None:
    server.write({"target.gvisor": {**server.settings["target.gvisor"], "release": "20261130.0"}})
    plan = steps(server.stack.pulumi.must("preview", "--json"))
    server.write()
    assert f"cluster-{NAME}-gvisor" in plan["update"], plan
    touched = {name for names in plan.values() for name in names}
    assert [name for name in touched if name.startswith("rakazo-")] == [], plan
    assert touched - {*plan["update"]} == {"proof", "entry-web"}, plan


def test_no_secret_is_in_the_state_the_plan_or_on_a_command_line(server: EstateServer) -> None:
    """B008, B009: also not in the journal of the machine, whose readers are not Rakazo's."""
    texts = {
        "state": server.stack.state(),
        "plan": server.stack.pulumi.must("preview", "--json"),
        "command lines": server.machine.run(["sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"]).stdout,
        "journal": server.machine.run(["journalctl", "--no-pager"]).stdout,
        "outputs": server.stack.pulumi.must("stack", "output", "--json"),
    }
    leaks = [
        f"{key} in {where}"
        for key, value in server.secrets.items()
        for form in (value, base64.b64encode(value.encode()).decode(), json.dumps(value)[1:-1])
        for where, text in texts.items()
        if form in text
    ]
    assert leaks == []
    assert "client-key-data" not in "".join(texts.values()), "the kubeconfig is in clear"


def test_the_machine_runs_the_release_that_is_pinned_behind_its_own_firewall(server: EstateServer) -> None:
    """B044: many pods need many watches."""
    assert VERSION in server.machine.run(["k3s", "--version"]).stdout
    assert "table inet rakazo_infra" in server.machine.run(["nft", "list", "ruleset"]).stdout
    assert int(server.machine.run(["sysctl", "-n", "fs.inotify.max_user_instances"]).stdout) >= 1024
    assert server.machine.run(["stat", "-c", "%a", "/etc/rancher/k3s/k3s.yaml"]).stdout.strip() == "600"
    assert host_key(server.machine) == server.settings["target.machines"][0]["host_key"]


def test_destroy_takes_everything_off_the_machine(server: EstateServer) -> None:
    """B011: it stays somebody's machine, and is as it was."""
    assert there(server, MADE) == list(MADE)
    outcome = server.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert there(server, MADE) == []
    running = server.machine.run(["ps", "-eo", "args"]).stdout
    assert [name for name in ("k3s", "containerd-shim", "kube-apiserver", "runsc") if name in running] == [], running
    assert "rakazo" not in server.machine.run(["nft", "list", "ruleset"]).stdout
