"""Docker Engine, Compose and the supervisor on a whole machine: services, computers, screens, restarts.

Images are pulled by digest from a registry, and computers are real containers; the application is the stand-in. What a
`pulumi up` does with all of it is in test_docker_target. The tests are one life of the machine, in their order.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from local.images.app.standin.container import bridge_name, network_name
from tests.docker_host import SECRETS, DockerHost, docker_host

pytestmark = pytest.mark.timeout(900)
BOT, NAME = "b1", "rakazo-bot-b1"
ONE = f"/api/computers/{NAME}"
SERVICES = ("api", "postgres", "supervisor", "web", "worker")
BACK_SECONDS = 120.0


@pytest.fixture(scope="module")
def host() -> Iterator[DockerHost]:
    with docker_host() as made:
        made.up()
        yield made


def until(host: DockerHost, holds: Callable[[], bool], what: str) -> None:
    """Wait; on expiry the journals of Docker and Rakazo are shown."""
    deadline = time.monotonic() + BACK_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            said = host.machine.run(["journalctl", "--unit=docker", "--unit=rakazo", "--lines=60", "--no-pager"])
            pytest.fail(f"{what} not within {BACK_SECONDS:.0f} s:\n{host.docker('ps', '--all')}\n{said.stdout}")
        time.sleep(0.5)


def inspect(host: DockerHost, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(host.docker("inspect", name))[0]
    return found


def answers(host: DockerHost) -> bool:
    status, health = host.call("POST", "/rpc/health", {}, seconds=5)
    return status == 200 and health["json"]["ok"]


def test_every_service_runs_and_web_alone_has_a_port_on_loopback(host: DockerHost) -> None:
    running = host.docker("ps", "--format", '{{.Label "com.docker.compose.service"}} {{.Status}}').splitlines()
    assert sorted(line.split(" ")[0] for line in running) == sorted(SERVICES)
    assert [line for line in running if not line.startswith("worker") and "(healthy)" not in line] == []
    listening = host.machine.run(["ss", "--no-header", "--listening", "--tcp", "--numeric"]).stdout.splitlines()
    outside = {line.split()[3] for line in listening if not line.split()[3].startswith(("127.", "[::1]"))}
    assert outside == {"0.0.0.0:22", "[::]:22"}
    assert answers(host)


def test_no_service_shows_a_secret_of_another(host: DockerHost) -> None:
    """B104: what `docker inspect` tells of a service is what that service alone is given."""
    for service in SERVICES:
        told = json.dumps(inspect(host, f"rakazo-{service}-1"))
        for source, value in SECRETS.items():
            holders = {
                "encryption_key": {"api", "worker"},
                "better_auth_secret": {"api"},
                "screen_proxy_secret": {"api", "web"},
                "supervisor_token": {"api", "worker", "supervisor"},
            }[source.value]
            assert (value in told) is (service in holders), f"{source.value} of {service}"


def test_a_computer_is_a_container_with_every_limit_on_a_bridge_of_its_own(host: DockerHost) -> None:
    status, made = host.call("POST", "/api/computers", {"bot": BOT})
    assert (status, made.get("name"), made.get("dialled")) == (201, NAME, {"6080": True}), made
    found = inspect(host, NAME)
    held = found["HostConfig"]
    limits = {"Memory": 512 << 20, "MemorySwap": 512 << 20, "NanoCpus": 10**9, "PidsLimit": 256, "Privileged": False}
    assert {key: held[key] for key in limits} == limits
    assert (held["CapDrop"], held["SecurityOpt"], found["Config"]["User"]) == (
        ["ALL"],
        ["no-new-privileges:true"],
        "1000:1000",
    )
    assert not held["Binds"]
    assert not held["PortBindings"], "no port of a computer is the machine's"
    network = json.loads(host.docker("network", "inspect", network_name(BOT)))[0]
    assert network["Options"]["com.docker.network.bridge.name"] == bridge_name(BOT)
    names = {each["Name"] for each in network["Containers"].values()}
    assert names == {NAME, "rakazo-supervisor-1", "rakazo-web-1"}


def test_commands_files_and_screens_work(host: DockerHost) -> None:
    status, done = host.call("POST", f"{ONE}/exec", {"command": ["sh", "-c", "id -u; echo err >&2; exit 3"]})
    assert (status, done) == (200, {"exitCode": 3, "stdout": "1000\n", "stderr": "err\n"})
    assert host.call("PUT", f"{ONE}/files/notes/a.txt", {"kept": True})[0] == 200
    assert host.call("GET", f"{ONE}/files/notes/a.txt") == (200, {"kept": True})
    for policy in ("view", "control"):
        status, screen = host.call("POST", f"{ONE}/screen", {"policy": policy})
        assert status == 200, screen
        status, page = host.call("GET", screen["path"])
        assert (status, "Stand-in computer" in page) == (200, True), page


def test_a_job_of_the_worker_runs_on_the_computer(host: DockerHost) -> None:
    status, job = host.call("POST", "/api/jobs", {"bot": BOT, "command": ["cat", "notes/a.txt"]})
    assert status == 202
    path = f"/api/jobs/{job['id']}"
    until(host, lambda: host.call("GET", path)[1]["state"] in ("done", "failed"), "the job is done")
    _, ended = host.call("GET", path)
    assert ended["error"] is None
    assert json.loads(ended["result"]["stdout"]) == {"kept": True}


def test_the_supervisor_listens_for_services_only(host: DockerHost) -> None:
    """A computer shares its bridge with the supervisor, which has its address there and answers at another one."""
    there = json.loads(host.docker("network", "inspect", network_name(BOT)))[0]["Containers"].values()
    address = next(each["IPv4Address"] for each in there if each["Name"] == "rakazo-supervisor-1").partition("/")[0]
    own = host.docker("exec", "rakazo-supervisor-1", "printenv", "SUPERVISOR_HOST").strip()
    reached = host.docker("exec", NAME, "rakazo-reach", f"{address}:7091", f"{own}:7091", check=False)
    assert [json.loads(line)["outcome"] for line in reached.splitlines()] == ["refused", "timeout"]
    asked = host.docker("exec", "rakazo-api-1", "bash", "-c", f"exec 3<>/dev/tcp/{own}/7091 && echo reached")
    assert asked == "reached\n"


def test_no_computer_starts_while_the_rules_are_missing(host: DockerHost) -> None:
    with host.unwatched():
        host.machine.run(["rakazo-egress", "remove"])
        status, refused = host.call("POST", "/api/computers", {"bot": "b2"})
    assert status == 502
    assert "egress rules are missing" in refused["message"], refused
    assert host.docker("ps", "--all", "--quiet", "--filter", "name=rakazo-bot-b2") == ""


def test_rules_that_somebody_takes_away_are_back_within_a_minute(host: DockerHost) -> None:
    """What a firewall does that starts anew from a list of its own. Docker's own rules are back as well."""
    before = inspect(host, NAME)["State"]["StartedAt"]
    host.machine.run(["iptables", "-F"])
    began = time.monotonic()
    check = ["sh", "-c", "rakazo-egress check && iptables -S FORWARD | grep -qx -e '-A FORWARD -j DOCKER-USER'"]
    until(host, lambda: host.machine.run(check, check=False).returncode == 0, "the rules are back")
    print(f"rules that were flushed: back after {time.monotonic() - began:.0f} s")
    until(host, lambda: answers(host), "web has its port")
    assert inspect(host, NAME)["State"]["StartedAt"] == before, "no container ended"
    status, made = host.call("POST", "/api/computers", {"bot": "b2"})
    assert status == 201, made
    assert host.call("DELETE", "/api/computers/rakazo-bot-b2")[0] == 200


def test_a_restart_of_docker_ends_nothing_and_the_supervisor_goes_on(host: DockerHost) -> None:
    """Also on a machine where a containerd of somebody's came later, which Docker would take for its own."""
    host.machine.run(["sh", "-c", "mkdir -p /run/containerd; touch /run/containerd/containerd.sock"])
    before = {name: inspect(host, name)["State"]["StartedAt"] for name in (NAME, "rakazo-api-1", "rakazo-postgres-1")}
    host.machine.run(["systemctl", "restart", "docker"])
    until(host, lambda: host.docker("ps", "--quiet", check=False) != "", "Docker is back")
    assert {name: inspect(host, name)["State"]["StartedAt"] for name in before} == before
    status, done = host.call("POST", f"{ONE}/exec", {"command": ["echo", "done"]})
    assert (status, done["stdout"]) == (200, "done\n"), done
    host.machine.run(["rakazo-egress", "check"])


def test_after_a_reboot_the_rules_are_there_before_a_computer_and_no_home_is_lost(host: DockerHost) -> None:
    host.machine.reboot()
    until(host, lambda: answers(host), "Rakazo is back")
    host.machine.run(["rakazo-egress", "check"])
    assert inspect(host, NAME)["State"]["Running"] is False, "only the supervisor starts a computer"
    status, again = host.call("POST", "/api/computers", {"bot": BOT})
    assert (status, again["name"]) == (201, NAME), again
    assert host.call("GET", f"{ONE}/files/notes/a.txt") == (200, {"kept": True})


def test_a_removed_computer_takes_its_network_along_and_leaves_its_home(host: DockerHost) -> None:
    status, ended = host.call("DELETE", ONE)
    assert (status, ended["savedFiles"]) == (200, 1), ended
    assert host.docker("ps", "--all", "--quiet", "--filter", f"name={NAME}") == ""
    assert host.docker("network", "ls", "--quiet", "--filter", "name=rakazo-computer") == ""
    status, again = host.call("POST", "/api/computers", {"bot": BOT})
    assert (status, again["restored"]) == (201, True), again
    assert host.call("GET", f"{ONE}/files/notes/a.txt") == (200, {"kept": True})
