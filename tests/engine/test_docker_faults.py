"""What happens to Rakazo on a machine with Docker when something ends that should not: what is lost, how long it takes.

The stack's own steps run on the machine, without Pulumi in between. The figures are printed. The volumes lie on a file
system of their own, so that one of them can be full without filling the host's disk.
"""

import json
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from components.compose.environment import secret_lines
from components.docker.delivery import STEPS
from components.rakazo.docker_services import DOCKER_SERVICES
from tests.docker_host import DockerHost, docker_host, told

pytestmark = pytest.mark.timeout(900)
VOLUMES = "/var/lib/docker/volumes"
VOLUMES_MIB = 500
SERVICES = ("postgres", "supervisor", "api", "worker", "web")
BACK_SECONDS = 180.0
BOT, COMPUTER = "b1", "rakazo-bot-b1"


@pytest.fixture(scope="module")
def host() -> Iterator[DockerHost]:
    with docker_host(".test-docker-faults") as made:
        made.deliver()
        for step in STEPS:
            made.step(step, secret_lines(DOCKER_SERVICES, told()) if step == "secrets" else None)
            if step == "engine":
                small_volumes(made)
        yield made


def small_volumes(host: DockerHost) -> None:
    host.machine.run(["systemctl", "stop", "docker.service", "docker.socket"])
    host.machine.run(["mount", "-t", "tmpfs", "-o", f"size={VOLUMES_MIB}m,mode=0701", "tmpfs", VOLUMES])
    host.machine.run(["systemctl", "start", "docker.service"])


def seconds_until(host: DockerHost, holds: Callable[[], bool], what: str) -> float:
    """Wait and return how long that took; on expiry the journals of Docker and Rakazo are shown."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > BACK_SECONDS:
            said = host.machine.run(["journalctl", "--unit=docker", "--unit=rakazo", "--lines=60", "--no-pager"])
            pytest.fail(f"{what} not within {BACK_SECONDS:.0f} s:\n{host.docker('ps', '--all')}\n{said.stdout}")
        time.sleep(0.2)
    return time.monotonic() - began


def whole(host: DockerHost) -> bool:
    """Whether every service is well, people get an answer, and what was written into the computer's home is there."""
    try:
        return all_well(host) and kept(host)
    except subprocess.CalledProcessError:
        return False  # nobody answers on the port


def all_well(host: DockerHost) -> bool:
    shown = host.docker("ps", "--format", '{{.Label "com.docker.compose.service"}} {{.Status}}', check=False)
    well = {line.split(" ")[0] for line in shown.splitlines() if "(healthy)" in line or line.startswith("worker Up")}
    if set(SERVICES) - well:
        return False
    status, health = host.call("POST", "/rpc/health", {}, seconds=5)
    return status == 200 and bool(health["json"]["ok"])


def kept(host: DockerHost) -> bool:
    status, found = host.call("GET", f"/api/computers/{COMPUTER}/files/a.txt")
    return (status, found) == (200, {"kept": True})


def test_a_computer_with_something_to_lose_is_there(host: DockerHost) -> None:
    assert host.call("POST", "/api/computers", {"bot": BOT})[0] == 201
    assert host.call("PUT", f"/api/computers/{COMPUTER}/files/a.txt", {"kept": True})[0] == 200
    assert kept(host)


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_is_killed_comes_back_by_itself(host: DockerHost, service: str) -> None:
    name = f"rakazo-{service}-1"
    process = json.loads(host.docker("inspect", name))[0]["State"]["Pid"]
    host.machine.run(["kill", "-KILL", str(process)])
    took = seconds_until(host, lambda: restarts(host, name) >= 1 and whole(host), f"{service} is back")
    print(f"kill of {service}: all well again after {took:.1f} s, nothing lost")


def restarts(host: DockerHost, name: str) -> int:
    return int(json.loads(host.docker("inspect", name))[0]["RestartCount"])


def beginnings(host: DockerHost) -> dict[str, str]:
    """Return since when each container runs."""
    names = host.docker("ps", "--format", "{{.Names}}").split()
    return {name: json.loads(host.docker("inspect", name))[0]["State"]["StartedAt"] for name in names}


def test_a_docker_that_is_killed_takes_nobody_along(host: DockerHost) -> None:
    before = beginnings(host)
    host.machine.run(["systemctl", "kill", "--kill-whom=main", "--signal=KILL", "docker.service"])
    took = seconds_until(host, lambda: whole(host), "Docker is back")
    assert beginnings(host) == before
    host.machine.run(["rakazo-egress", "check"])
    print(f"kill of Docker: it answers again after {took:.1f} s, no container ended, the rules are in force")


def test_when_docker_and_every_container_are_killed_all_come_back(host: DockerHost) -> None:
    """The computer too, at its next use: nobody else starts one."""
    host.machine.run(["systemctl", "kill", "--signal=KILL", "docker.service", "rakazo-containerd.service"])
    took = seconds_until(host, lambda: all_back(host), "Rakazo is back")
    host.machine.run(["rakazo-egress", "check"])
    print(f"kill of Docker with all containers: whole again after {took:.1f} s, the rules are in force")


def all_back(host: DockerHost) -> bool:
    try:
        return all_well(host) and host.call("POST", "/api/computers", {"bot": BOT})[0] == 201 and kept(host)
    except subprocess.CalledProcessError:
        return False


def test_a_full_disk_loses_nothing_that_was_there(host: DockerHost) -> None:
    """Whoever writes is refused, and Postgres ends when it cannot; with room again, everything goes on."""
    host.machine.run(["sh", "-c", f"cat /dev/zero >{VOLUMES}/full 2>/dev/null"], check=False)
    status, said = host.call("PUT", f"/api/computers/{COMPUTER}/files/b.txt", {"more": "x" * 100_000})
    assert status >= 400, said
    host.machine.run(["rm", f"{VOLUMES}/full"])
    took = seconds_until(host, lambda: whole(host), "Rakazo is whole with room again")
    assert host.call("PUT", f"/api/computers/{COMPUTER}/files/b.txt", {"more": "x"})[0] == 200
    print(f"full disk: whole {took:.1f} s after there was room again, nothing lost")


def test_a_restart_of_everything_finds_the_rules_first(host: DockerHost) -> None:
    """As after a start of the machine, whose file system of volumes would be empty here: test_docker_host reboots."""
    host.machine.run(["systemctl", "stop", "rakazo", "docker.service", "docker.socket"], seconds=200)
    host.machine.run(["rakazo-egress", "remove"])
    host.machine.run(["systemctl", "start", "docker.service"])
    host.machine.run(["rakazo-egress", "check"])
    host.machine.run(["systemctl", "start", "rakazo"], seconds=300)
    took = seconds_until(host, lambda: all_back(host), "Rakazo is back")
    print(f"restart of everything: whole {took:.1f} s after its unit had started")
