"""A machine of an estate that is given Docker and Rakazo by the stack's own steps, without Pulumi in between.

What the steps do is the same as in a `pulumi up`; when each of them runs is not proven here.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from components.compose.environment import secret_lines
from components.docker.delivery import STEPS, deliver
from components.docker.plan import DockerPlan
from components.machines.file import LIBRARY, render_delivery
from components.rakazo.docker_application import plan_of
from components.rakazo.docker_services import DOCKER_SERVICES
from components.service import SecretValue
from local.checkout import PROJECT
from local.failure import LocalError
from stacks.docker_stack import DockerStackSettings
from tests.docker_images import image_settings
from tests.docker_release import docker_settings
from tests.estate_stack import CONSOLE
from tests.machines.estate import Estate
from tests.machines.machine import Machine

FOLDER_NAME = ".test-docker-host"
NAME = "rakazo-1"
ADDRESS = "192.175.48.101"
STEP_SECONDS = 900.0
SECRETS = {
    SecretValue.ENCRYPTION_KEY: "1b2c3d4e" * 8,
    SecretValue.BETTER_AUTH_SECRET: "2c3d4e5f" * 8,
    SecretValue.SCREEN_PROXY_SECRET: "3d4e5f60" * 8,
    SecretValue.SUPERVISOR_TOKEN: "4e5f6071" * 8,
}


@dataclass(frozen=True, kw_only=True)
class DockerHost:
    """A machine, and what a stack file says of it."""

    estate: Estate
    machine: Machine
    settings: DockerStackSettings

    @property
    def plan(self) -> DockerPlan:
        """What the machine is to be."""
        return plan_of(stack="docker", machine=NAME, is_new=False, settings=self.settings)

    def deliver(self) -> None:
        """Put the scripts and files of every step onto the machine."""
        self.machine.run(["sh", "-s"], stdin=render_delivery(deliver(self.plan).files, "docker docker"))

    def step(self, name: str, stdin: str | None = None) -> str:
        """Run a step and return what it says; LocalError with that when it fails."""
        argv = [f"{LIBRARY}/{name}", deliver(self.plan).versions[name]]
        ended = self.machine.run(argv, stdin=stdin, seconds=STEP_SECONDS, check=False)
        if ended.returncode:
            raise LocalError(f"{name} ended with status {ended.returncode}:\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    def up(self) -> None:
        """Bring all of it up, the way in included."""
        self.deliver()
        for name in STEPS:
            self.step(name, secret_lines(DOCKER_SERVICES, told()) if name == "secrets" else None)

    def docker(self, *words: str, check: bool = True) -> str:
        """Run Docker's client on the machine and return what it prints."""
        return self.machine.run(["docker", *words], check=check).stdout

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Have nobody bring rules back that a test takes away; the timer that would goes on."""
        folder = "/run/systemd/system/rakazo-egress-keep.service.d"
        off = f"mkdir -p {folder}; printf '[Service]\\nExecStart=\\nExecStart=true\\n' >{folder}/off.conf"
        self.machine.run(["sh", "-c", f"{off}; systemctl daemon-reload"])
        try:
            yield
        finally:
            self.machine.run(["sh", "-c", f"rm -r {folder}; systemctl daemon-reload"])

    def call(self, method: str, path: str, body: Any = None, seconds: float = 150.0) -> tuple[int, Any]:
        """Call Rakazo through its way in; see :func:`call`."""
        return call(self.machine, f"{method} http://127.0.0.1:{self.settings.edge.web}{path}", body, seconds)


def call(machine: Machine, request: str, body: Any = None, seconds: float = 150.0) -> tuple[int, Any]:
    """Call Rakazo through its way in, from the machine itself; return the status and the JSON of the answer.

    `request` is a method, a blank and a URL. The status is 0 when nobody answers.
    """
    method, url = request.split(" ")
    given = [] if body is None else ["--header", "Content-Type: application/json", "--data-binary", "@-"]
    argv = ["curl", "--silent", "--show-error", "--max-time", str(seconds), "--request", method, *given]
    argv += ["--write-out", "\n%{http_code}", url]
    given_in = None if body is None else json.dumps(body)
    ended = machine.run(argv, stdin=given_in, seconds=seconds + 5, check=False)
    content, _, status = ended.stdout.rpartition("\n")
    try:
        return int(status), json.loads(content) if content.strip() else None
    except ValueError:
        return int(status), content


def told() -> Mapping[SecretValue, str]:
    """Return every secret of the stack, as the steps are told them."""
    owner, app = "6a7b8c9d" * 4, "5f6a7b8c" * 4
    host = "rakazo-postgres:5432/rakazo"
    return {
        **SECRETS,
        SecretValue.OWNER_PASSWORD: owner,
        SecretValue.APP_PASSWORD: app,
        SecretValue.MIGRATION_URL: f"postgres://rakazo:{owner}@{host}",
        SecretValue.DATABASE_URL: f"postgres://rakazo_app:{app}@{host}",
    }


@contextmanager
def docker_host(name: str = FOLDER_NAME, changes: Mapping[str, Any] = MappingProxyType({})) -> Iterator[DockerHost]:
    """Start the world and the machine, on which there is no Docker yet; nothing is left of it afterwards.

    `changes` replaces whole sections of the settings.
    """
    folder = PROJECT / ".local" / name
    with Estate(folder / "estate", CONSOLE) as estate:
        machine = estate.machine(NAME, public=ADDRESS, shown=estate.registry.trusted)
        machine.start()
        machine.wait_for_cloud_init()
        settings = {
            "target": {
                "kind": "server",
                "machines": [{"name": NAME, "address": ADDRESS, "host_key": host_key(machine)}],
                "docker": docker_settings(estate, CONSOLE),
            },
            "runtime": {"kind": "runc"},
            "images": image_settings(estate),
            "computers": {"kind": "docker", "cpu": "1", "memory": "512Mi", "pids": 256},
            "application": {
                "public": {"host": "rakazo.example.com"},
                "signup_allowlist": ["@example.com"],
                "agent_runtime": "scripted",
            },
            "edge": {"kind": "loopback", "web": 5173},
        }
        yield DockerHost(
            estate=estate, machine=machine, settings=DockerStackSettings.model_validate({**settings, **changes})
        )
    shutil.rmtree(folder)


def host_key(machine: Machine) -> str:
    """Return the machine's own host key, as somebody reads it on its console."""
    return " ".join(machine.run(["cat", "/etc/ssh/ssh_host_ed25519_key.pub"]).stdout.split()[:2])
