"""A Docker that is on a machine before any stack is: another pool, another project, rules of its own firewall."""

import json
import time
from dataclasses import dataclass
from typing import Any

import yaml

from local.failure import LocalError
from tests.docker_release import ARCHIVE, COMPOSE
from tests.estate_docker import EstateDocker

FOLDER = "/srv/somebody"
PROJECT = f"{FOLDER}/compose.yaml"
CONFIGURATION = {"default-address-pools": [{"base": "172.24.0.0/16", "size": 24}], "live-restore": True}
RULES = (
    "-A INPUT -p tcp -m tcp --dport 9 -m comment --comment of-somebody -j DROP",
    "-A DOCKER-USER -d 192.175.48.83/32 -m comment --comment of-somebody -j DROP",
)
SERVICE = """[Unit]
Description=Docker of somebody
Requires=docker.socket
After=docker.socket
[Service]
Type=notify
ExecStart=/usr/bin/dockerd -H fd://
KillMode=process
Delegate=yes
Restart=always
[Install]
WantedBy=multi-user.target
"""
SOCKET = """[Socket]
ListenStream=/run/docker.sock
[Install]
WantedBy=sockets.target
"""
START_SECONDS = 60.0


@dataclass(frozen=True)
class DockerOfSomebody:
    """What is there, and what there is to see of it."""

    host: EstateDocker

    def install(self) -> None:
        """Put all of it onto the machine."""
        mirror, machine = self.host.estate.mirror.url, self.host.machine
        script = f"""set -eu
apt-get --quiet --yes install curl >/dev/null 2>&1 || command -v curl >/dev/null
curl --silent --fail {mirror}/docker/{ARCHIVE} | tar --extract --gzip --strip-components=1 --directory /usr/bin
mkdir -p /usr/libexec/docker/cli-plugins /etc/docker {FOLDER}
curl --silent --fail --output /usr/libexec/docker/cli-plugins/docker-compose {mirror}/compose/{COMPOSE}
chmod 755 /usr/libexec/docker/cli-plugins/docker-compose
cat >/etc/docker/daemon.json <<'END'
{json.dumps(CONFIGURATION)}
END
cat >/usr/lib/systemd/system/docker.service <<'END'
{SERVICE}END
cat >/usr/lib/systemd/system/docker.socket <<'END'
{SOCKET}END
cat >{PROJECT} <<'END'
{yaml.safe_dump(self._project())}END
systemctl daemon-reload
systemctl enable --now docker.socket docker.service
docker compose --file {PROJECT} up --detach --quiet-pull
"""
        machine.run(["sh", "-s"], stdin=script, seconds=300)
        for rule in RULES:
            machine.run(["iptables", *rule.split(" ")])
        self.until_it_answers()

    def _project(self) -> dict[str, Any]:
        """Return a service with a port of the machine and a file in a volume."""
        service = {
            "image": self.host.settings["images"]["postgres"],
            "entrypoint": ["sh", "-c", "echo theirs >/kept/file; exec sleep infinity"],
            "user": "0:0",
            "restart": "unless-stopped",
            "volumes": ["kept:/kept"],
            "ports": ["127.0.0.1:8081:80"],
        }
        return {"name": "somebody", "services": {"shop": service}, "volumes": {"kept": {}}}

    def seen(self) -> dict[str, str]:
        """Return everything that has to be the same afterwards."""
        shown = "{{.Id}} {{.Created}} {{.State.StartedAt}} {{.State.Status}}"
        return {
            "container": self.host.docker("inspect", "--format", shown, "somebody-shop-1"),
            "file": self.host.docker("exec", "somebody-shop-1", "cat", "/kept/file"),
            "network": self.host.docker("network", "inspect", "--format", "{{.Id}}", "somebody_default"),
            "volumes": self._volumes(),
            "daemon": self.host.machine.run(["cat", "/etc/docker/daemon.json"]).stdout,
            "process": self.host.machine.run(["systemctl", "show", "--value", "-p", "MainPID", "docker"]).stdout,
            "rules": self._rules(),
        }

    def _volumes(self) -> str:
        """Return the volumes that are not Rakazo's; the image brings one without a name."""
        listed = self.host.docker("volume", "ls", "--quiet").split()
        return "\n".join(name for name in listed if not name.startswith("rakazo-"))

    def _rules(self) -> str:
        saved = self.host.machine.run(["iptables-save"]).stdout
        return "\n".join(line for line in saved.splitlines() if "of-somebody" in line)

    def until_it_answers(self) -> None:
        """Wait for the container; LocalError with Docker's log when it does not run."""
        deadline = time.monotonic() + START_SECONDS
        while self.host.docker("ps", "--quiet", "--filter", "name=somebody-shop-1", check=False) == "":
            if time.monotonic() > deadline:
                raise LocalError(f"somebody's container does not run:\n{self.host.journal()}")
            time.sleep(0.2)
