"""A machine on which the stand-in for k3s is installed as k3s' own script would do it."""

import time
from dataclasses import dataclass
from typing import Any

import yaml

from local.failure import LocalError
from tests.machines.machine import Machine

START_SECONDS = 120.0
POLL_SECONDS = 0.2
PROGRAM = "/srv/k3s"
"""Where the test shows the file to the machine."""
UNIT = """\
[Unit]
Description=stand-in for k3s
After=network-online.target

[Service]
Type=notify
KillMode=process
Delegate=yes
TimeoutStartSec=infinity
Restart=always
RestartSec=5
ExecStart=/usr/local/bin/k3s {command}

[Install]
WantedBy=multi-user.target
"""


@dataclass(frozen=True)
class K3sNode:
    """One node."""

    machine: Machine
    command: str
    """server or agent."""

    @property
    def unit(self) -> str:
        return "k3s" if self.command == "server" else "k3s-agent"

    def install(self, config: dict[str, Any], token: str) -> None:
        """Put the file, its links, its unit and its configuration in place, and start it without waiting."""
        links = " ".join(f"&& ln -sf k3s /usr/local/bin/{name}" for name in ("kubectl", "crictl", "ctr"))
        self.machine.run(["sh", "-ec", f"install -m 755 {PROGRAM} /usr/local/bin/k3s {links}"])
        self.configure("config.yaml", config)
        self.put("/etc/rancher/k3s/token", f"{token}\n", mode="600")
        self.put(f"/etc/systemd/system/{self.unit}.service", UNIT.format(command=self.command))
        # What containers ignore at a shutdown is waited for 90 s on a real machine.
        self.put("/etc/systemd/system.conf.d/fast.conf", "[Manager]\nDefaultTimeoutStopSec=3s\n")
        self.machine.run(["systemctl", "daemon-reexec"])
        self.machine.run(["systemctl", "enable", self.unit])
        self.machine.run(["systemctl", "start", "--no-block", self.unit])

    def configure(self, file: str, config: dict[str, Any]) -> None:
        self.put(f"/etc/rancher/k3s/{file}", yaml.safe_dump(config))

    def put(self, path: str, text: str, mode: str = "644") -> None:
        script = 'mkdir -p "$(dirname "$1")" && cat > "$1" && chmod "$2" "$1"'
        self.machine.run(["sh", "-ec", script, "sh", path, mode], stdin=text)

    def wait(self) -> None:
        """Wait until the unit is active; LocalError with its journal when it does not become so."""
        deadline = time.monotonic() + START_SECONDS
        while self.state() != "active":
            if time.monotonic() > deadline:
                raise LocalError(f"{self.unit} on {self.machine.name} is not active:\n{self.journal()}")
            time.sleep(POLL_SECONDS)

    def state(self) -> str:
        return self.machine.run(["systemctl", "is-active", self.unit], check=False).stdout.strip()

    def restart(self) -> None:
        self.machine.run(["systemctl", "restart", self.unit], seconds=START_SECONDS, check=False)
        self.wait()

    def journal(self) -> str:
        """Return what k3s itself has said lately, and the very last words of all that it runs."""
        told = self.machine.run(["journalctl", "-u", self.unit, "-o", "cat", "--no-pager", "-n", "2000"]).stdout
        lines = told.splitlines()
        return "\n".join([*[line[:300] for line in lines if line.startswith("time=")][-30:], "---", *lines[-30:]])

    def k3s(self, *arguments: str, stdin: str | None = None, check: bool = True) -> str:
        """Run a command of k3s and return what it printed; both streams when it may fail."""
        done = self.machine.run(["k3s", *arguments], stdin=stdin, check=False, seconds=120)
        if check and done.returncode != 0:
            raise LocalError(f"k3s {' '.join(arguments)} on {self.machine.name}: {done.stderr}\n{self.journal()}")
        return done.stdout if check else done.stdout + done.stderr

    def apply(self, *manifests: dict[str, Any]) -> None:
        self.k3s("kubectl", "apply", "-f", "-", stdin=yaml.safe_dump_all(manifests))

    def get(self, *what: str) -> Any:
        return yaml.safe_load(self.k3s("kubectl", "get", *what, "-o", "json"))
