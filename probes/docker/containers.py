"""Docker on the machine: make containers and networks, run commands in them, and read what is there."""

import json
import shlex
import time
from collections.abc import Iterable, Sequence
from typing import Any

from probes.docker.runner import Runner
from probes.prober import ProbeError, Ran

PROJECT = "com.docker.compose.project"
SERVICE = "com.docker.compose.service"
BRIDGE = "com.docker.network.bridge.name"
GONE = (
    "No such container",
    "No such network",
    "no such network",
    "is already in progress",
    "not found",
    "is not connected to",
)
"""What Docker says about something that is not there, or will not be in a moment."""
NOISE = ("unable to resolve host",)
"""What sudo says on a machine that does not know its own name, whatever the command does."""


class ContainerError(ProbeError):
    """A container did not become what was asked; the message holds what Docker said."""


class Containers:
    """All containers and networks of the machine's Docker."""

    def __init__(self, machine: Runner) -> None:
        """Nothing is called before a method is."""
        self.machine = machine

    def docker(self, *words: str, stdin: str = "", seconds: float = 60.0) -> str:
        """Return what a command of Docker's own printed; ContainerError with what it said when it fails."""
        did = self.machine.run(["docker", *words], stdin=stdin, seconds=seconds)
        if did.exit_code:
            raise ContainerError(f"docker {words[0]}: {did.errors.strip()[-800:] or did.output.strip()[-800:]}")
        return did.output

    def execute(self, name: str, command: Sequence[str], seconds: int = 60) -> Ran:
        """Run a command in a container; ContainerError when it does not run at all."""
        line = shlex.join(["docker", "exec", name, *command])
        did = self.machine.run(["sh", "-c", f"{line} 2>&1"], seconds=seconds)
        if did.exit_code and did.output.startswith(("Error response from daemon", "Error: No such container")):
            raise ContainerError(f"{command[0]} in {name} did not run: {did.output.strip()[-500:]}")
        return Ran(exit_code=did.exit_code, output=did.output)

    def run(self, name: str, *options: str, image: str, command: Sequence[str] = ()) -> None:
        """Create and start a container."""
        self.docker("run", "--detach", "--pull", "never", "--name", name, *options, image, *command)

    def log(self, name: str, lines: int | None = None) -> str:
        """Return what a container printed so far, or its last lines, standard output and error in order."""
        tail = "all" if lines is None else str(lines)
        did = self.machine.run(["sh", "-c", f"docker logs --tail {tail} {shlex.quote(name)} 2>&1"])
        if did.exit_code:
            raise ContainerError(f"docker logs {name}: {did.output.strip()[-500:]}")
        return did.output

    def inspect(self, *names: str, kind: str = "container") -> list[dict[str, Any]]:
        """Return everything that Docker knows of containers or networks; an empty list for no names.

        One that went away since somebody listed it is left out.
        """
        if not names:
            return []
        did = self.machine.run(["docker", kind, "inspect", *names])
        unknown = _not_gone(did.errors)
        if did.exit_code and unknown:
            raise ContainerError(f"docker {kind} inspect: {' '.join(unknown)[-800:]}")
        found: list[dict[str, Any]] = json.loads(did.output)
        return found

    def names(self, *filters: str) -> list[str]:
        """Return the names of containers that match all filters, those that have ended included."""
        given = [word for each in filters for word in ("--filter", each)]
        return self.docker("ps", "--all", "--format", "{{.Names}}", *given).split()

    def networks(self, *filters: str) -> list[str]:
        """Return the names of networks that match all filters."""
        given = [word for each in filters for word in ("--filter", each)]
        return self.docker("network", "ls", "--format", "{{.Name}}", *given).split()

    def remove(self, *names: str) -> None:
        """End containers and remove them; those that are gone already are fine."""
        self._removing(["rm", "--force", "--volumes"], names)

    def remove_networks(self, *names: str) -> None:
        """Remove networks with whoever is still on them; those that are gone already are fine."""
        for network in self.inspect(*names, kind="network"):
            for peer in network.get("Containers") or {}:
                self._removing(["network", "disconnect", "--force", network["Name"]], [peer])
        self._removing(["network", "rm"], names)

    def explain(self, name: str) -> str:
        """Return a container's state and its last lines, for the message of a failure."""
        (state,) = [each["State"] for each in self.inspect(name)] or [{}]
        told = {key: state[key] for key in ("Status", "ExitCode", "OOMKilled", "Error") if state.get(key)}
        return f"{told}: {self.log(name)[-500:]}" if state else "it is gone"

    def wait_for(self, name: str, word: str, seconds: float) -> None:
        """Wait until a container has printed a word; ContainerError as soon as it has ended, or after `seconds`."""
        deadline = time.monotonic() + seconds
        while word not in self.log(name):
            running = [each for each in self.inspect(name) if each["State"]["Running"]]
            if not running or time.monotonic() > deadline:
                raise ContainerError(f"{name} did not print {word!r} within {seconds:.0f} s: {self.explain(name)}")
            time.sleep(0.2)

    def _removing(self, verb: Sequence[str], names: Iterable[str]) -> None:
        listed = list(names)
        if not listed:
            return
        did = self.machine.run(["docker", *verb, *listed])
        left = _not_gone(did.errors)
        if did.exit_code and left:
            raise ContainerError(f"docker {verb[0]}: {' '.join(left)[-800:]}")


def _not_gone(errors: str) -> list[str]:
    """Return the lines that tell of something else than of what is gone."""
    return [line for line in errors.splitlines() if line.strip() and not any(each in line for each in (*GONE, *NOISE))]
