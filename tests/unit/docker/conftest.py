"""A machine that the steps of a stack with Docker computers were delivered to, and what answers on it."""

import dataclasses
import hashlib
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from components.docker.delivery import deliver
from components.docker.plan import DockerPlan
from stacks.docker_computers import DockerComputers
from stacks.target.docker import DockerSettings
from tests.unit.machines import mirror as mirrors
from tests.unit.machines.fake_machine import FakeMachine
from tests.unit.machines.mirror import Mirror

PROGRAMS = ("docker", "dockerd", "docker-init", "docker-proxy", "containerd", "containerd-shim-runc-v2", "runc", "ctr")
FREE = """case "$*" in
  *route*) echo "10.0.1.0/24 dev eth0 proto kernel scope link src 10.0.1.11" ;;
  *) echo "2: eth0    inet 10.0.1.11/24 brd 10.0.1.255 scope global eth0" ;;
esac"""
DOCKER = """case "$*" in
  version*) echo "${DOCKER_SAYS_VERSION:-28.5.2}" ;;
  *OperatingSystem*) echo 'Debian GNU/Linux 12 ["name=seccomp,profile=builtin"]' ;;
  *LiveRestoreEnabled*) echo true ;;
esac"""
IPTABLES = """case "$*" in
  *"-S FORWARD") echo "-P FORWARD DROP"; echo "-A FORWARD -j DOCKER-USER" ;;
esac"""
SYSTEMCTL = """case "$*" in
  *"is-active"*) [ -e "$RUNNING" ] ;;
  "cat docker.service") [ -e "$UNIT" ] ;;
  stop*) rm -f "$RUNNING" ;;
  start*docker.service*) touch "$RUNNING" ;;
esac"""
APP = f"registry.test/app@sha256:{'a' * 64}"


def archive(programs: tuple[str, ...] = PROGRAMS, version: str = "28.5.2") -> bytes:
    """Return a release of Docker whose programs say their version."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as made:
        for program in programs:
            content = f'#!/bin/sh\necho "{program} {version}"\n'.encode()
            entry = tarfile.TarInfo(f"docker/{program}")
            entry.size, entry.mode = len(content), 0o755
            made.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@dataclasses.dataclass
class Bench:
    """A machine, the mirror that it downloads from, and a way to deliver another plan to it."""

    machine: FakeMachine
    mirror: Mirror
    running: Path

    def docker(self, version: str = "28.5.2", content: bytes | None = None, **changes: Any) -> DockerSettings:
        """Put a release of Docker and one of Compose on the mirror."""
        content = content or archive(version=version)
        plugin = b'#!/bin/sh\necho "compose $*" >>"$CALLS"\n[ ! -e "$RAKAZO_ROOT/compose-fails" ]\n'
        self.mirror.files[f"/linux/static/stable/x86_64/docker-{version}.tgz"] = content
        self.mirror.files["/compose/v5.5.1/docker-compose-linux-x86_64"] = plugin
        known = {
            "version": version,
            "sha256": hashlib.sha256(content).hexdigest(),
            "mirror": self.mirror.url,
            "compose_version": "5.5.1",
            "compose_sha256": hashlib.sha256(plugin).hexdigest(),
            "compose_mirror": f"{self.mirror.url}/compose",
        }
        return DockerSettings.model_validate({**known, **changes})

    def plan(self, **changes: Any) -> DockerPlan:
        """Return what the machine is to be."""
        known: dict[str, Any] = {
            "stack": "test",
            "machine": "rakazo-1",
            "is_new": False,
            "docker": changes.get("docker") or self.docker(),
            "computers": DockerComputers(kind="docker"),
            "cores": 2,
            "images": ["registry.test/postgres@sha256:1", APP],
            "release": APP,
            "compose": "name: rakazo\n",
            "isolation": "first",
            "entry": "services: {}\n",
            "supervisor_range": "10.189.0.0/28",
            "denied": ["10.0.0.0/8", "fd00::/8"],
        }
        return DockerPlan(**{**known, **changes})

    def deliver(self, **changes: Any) -> None:
        """Deliver it."""
        self.machine.deliver(deliver(self.plan(**changes)).files, "docker test")

    def step(self, name: str, *words: str, stdin: str = "", fails: bool = False) -> str:
        """Run a step; return what it said, and its errors where it has to fail."""
        done = self.machine.step(name, *(words or ("digest",)), stdin=stdin)
        assert (done.returncode != 0) is fails, done.stdout + done.stderr
        return done.stderr if fails else done.stdout

    def fence(self, status: int = 0) -> None:
        """Deliver a program that says that it was called, in the place of the rules' own, which other tests run."""
        text = f'#!/bin/sh\necho "rakazo-egress $*" >>"$CALLS"\nexit {status}\n'
        place = "/usr/local/lib/rakazo-infra/staged/fence/usr/local/sbin/rakazo-egress"
        self.machine.write(place, text).chmod(0o755)

    def adopt(self) -> None:
        """Have a Docker that was there before."""
        self.machine.write("/usr/bin/dockerd", "")
        self.running.touch()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with mirrors.running() as mirror:
        machine = FakeMachine(tmp_path)
        running, unit = tmp_path / "running", machine.path("/etc/systemd/system/docker.service")
        machine.program("systemctl", SYSTEMCTL.replace("$RUNNING", str(running)).replace("$UNIT", str(unit)))
        machine.program("ip", FREE)
        machine.program("docker", DOCKER)
        machine.program("iptables", IPTABLES)
        machine.program("uname", 'if [ "$1" = -m ]; then echo x86_64; else echo 6.1.0; fi')
        machine.program("nproc", "echo 2")
        machine.program("timedatectl", "echo yes")
        machine.program("systemd-detect-virt", "exit 1")
        for name in ("max_user_instances", "max_user_watches"):
            machine.write(f"/proc/sys/fs/inotify/{name}", "128\n")
        machine.write("/proc/meminfo", "MemTotal:       16311436 kB\n")
        made = Bench(machine=machine, mirror=mirror, running=running)
        made.deliver()
        yield made
