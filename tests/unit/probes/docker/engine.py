"""A machine of this process's memory: a Docker with nothing but names and labels, and a shell for the lease."""

import fcntl
import json
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from probes.docker.runner import Did, MachineError
from probes.docker.stage import ERRAND, LEASE

ERRANDS_NETWORK = f"rakazo-computer-verify-{'0a' * 16}"


class Engine:
    """What runs of a verification have made on one machine; each run looks at it through a runner of its own."""

    def __init__(self, folder: Path) -> None:
        self.lease = folder / "lease"
        self.containers: dict[str, str] = {}
        """Labels by name."""
        self.networks: dict[str, tuple[str, list[str]]] = {}
        """Label and peers by name."""
        self.refuses: str | None = None
        """Word of Docker's that it answers with an error."""
        self.asked: list[list[str]] = []

    def write_lease(self, text: str | None) -> None:
        """Write the lease, or remove it, as another run does: while nobody else reads or writes it."""
        with Path(f"{self.lease}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if text is None:
                self.lease.unlink()
            else:
                self.lease.write_text(text)

    def perform(self, run: str) -> None:
        """Leave behind what a run has made."""
        self.containers |= {f"computer-{run}": f"rakazo-infra/verify={run}"}
        self.networks |= {f"network-{run}": (f"rakazo-infra/verify={run}", [])}

    def run_errand(self) -> None:
        """Leave behind the computer of an errand, in the middle of it."""
        self.containers |= {ERRAND: ""}
        self.networks |= {ERRANDS_NETWORK: ("", ["rakazo-web-1", "rakazo-supervisor-1"])}

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        """Do what Docker would do, and what the shell does."""
        self.asked.append(list(command))
        if command[0] == "sh":
            assert urgent, "what concerns the lease waits for nobody"
            line = [word.replace(LEASE, str(self.lease)) for word in command]
            done = subprocess.run(line, capture_output=True, text=True, check=False)
            return Did(exit_code=done.returncode, output=done.stdout, errors=done.stderr)
        assert command[0] == "docker", command
        if self.refuses in command:
            return Did(exit_code=1, output="", errors=f"{self.refuses} is refused")
        return Did(exit_code=0, output=self._docker(list(command[1:])), errors="")

    def _docker(self, words: list[str]) -> str:
        match words:
            case ["ps", *_, asked]:
                return "\n".join(name for name, label in self.containers.items() if _fits(asked, name, label))
            case ["network", "ls", *_, asked]:
                return "\n".join(name for name, (label, _) in self.networks.items() if _fits(asked, name, label))
            case ["network", "inspect", *names]:
                found = [(name, self.networks[name][1]) for name in names]
                return json.dumps([{"Name": name, "Containers": dict.fromkeys(peers)} for name, peers in found])
            case ["network", "disconnect", "--force", name, peer]:
                self.networks[name][1].remove(peer)
            case ["network", "rm", *names]:
                for name in names:
                    assert self.networks.pop(name)[1] == [], "somebody is still on it"
            case ["rm", "--force", "--volumes", *names]:
                for name in names:
                    self.containers.pop(name, None)
            case _:
                raise AssertionError(words)
        return ""


class Distant:
    """A runner to a machine that can be cut off."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.cut = threading.Event()

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        """Do what the machine does, unless it is cut off."""
        if self.cut.is_set():
            raise MachineError("the machine did not answer")
        return self.engine.run(command, stdin=stdin, seconds=seconds, urgent=urgent)


def _fits(asked: str, name: str, label: str) -> bool:
    kind, _, value = asked.partition("=")
    if kind == "name":
        assert value == "^rakazo-computer-verify-[0-9a-f]+$"
        return name == ERRANDS_NETWORK
    return label == value or label.partition("=")[0] == value
