"""The containers that a verification puts on stage, some of them as the supervisor makes computers."""

from collections.abc import Sequence
from dataclasses import dataclass

from probes.cast import DEADLINE_SECONDS, LABEL
from probes.docker.facts import DockerFacts
from probes.docker.surroundings import COMPUTERS
from stacks.quantity import cpu_millis, size_bytes

NAME = "rakazo-verify"
"""How the names of everything begin that a verification makes."""
USER = "1000:1000"
SHARED_MEMORY = "256m"
"""Of a desktop's own, as the supervisor gives it (facts/rakazo.md 8)."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a computer may use."""

    memory: int
    """Bytes; swap is none."""
    cpu_millis: int
    pids: int


def limits(facts: DockerFacts) -> Limits:
    """Return those of the stack."""
    return Limits(memory=size_bytes(facts.memory), cpu_millis=cpu_millis(facts.cpu), pids=facts.pids)


def as_computer(own: Limits, network: str, run: str) -> list[str]:
    """Return the options of `docker run` under which the supervisor's containers run, and none that they have not."""
    memory = str(own.memory)
    return [
        *("--user", USER, "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true"),
        *("--memory", memory, "--memory-swap", memory, "--cpus", f"{own.cpu_millis / 1000:g}"),
        *("--pids-limit", str(own.pids), "--shm-size", SHARED_MEMORY),
        *("--network", network, "--label", f"{LABEL}={run}"),
    ]


def as_stranger(network: str, run: str) -> list[str]:
    """Return the options of a container that has nothing to do with Rakazo."""
    dropped = ("--cap-drop", "ALL", "--security-opt", "no-new-privileges:true")
    return ["--user", USER, *dropped, "--network", network, "--label", f"{LABEL}={run}"]


def ending(command: Sequence[str]) -> list[str]:
    """Return a command that ends by itself: nobody else does when a verification was killed and none follows."""
    return ["timeout", str(DEADLINE_SECONDS), *command]


def bridge(number: int, run: str) -> str:
    """Return the name of a computer's bridge; a name of an interface has fifteen characters at most."""
    return f"{COMPUTERS}{run[:5]}{number:02x}"


STRANGERS_BRIDGE = "rkz-verify"
"""Bridge of containers that no rule knows."""
