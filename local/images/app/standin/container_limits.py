"""What one computer may use at most, as the supervisor's environment says it and Docker takes it."""

import re
from dataclasses import dataclass
from typing import Any

from .environment import Environment

NAMES = ("RAKAZO_COMPUTER_MEMORY", "RAKAZO_COMPUTER_CPUS", "RAKAZO_COMPUTER_PIDS_LIMIT")
DEFAULTS = {"RAKAZO_COMPUTER_MEMORY": "2g", "RAKAZO_COMPUTER_CPUS": "2", "RAKAZO_COMPUTER_PIDS_LIMIT": "2048"}
UNLIMITED = {"0", "none", "unlimited"}
UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
SMALLEST_MEMORY = 6 << 20
"""Bytes; Docker refuses a container with less."""
NANO = 10**9


@dataclass(frozen=True)
class Limits:
    """0 is no limit."""

    memory: int
    """Bytes, of memory and swap together."""
    nano_cpus: int
    processes: int

    def host_config(self) -> dict[str, Any]:
        """Return Docker's fields; memory without swap of its own, or a computer could use twice as much."""
        return {
            "Memory": self.memory,
            "MemorySwap": self.memory,
            "NanoCpus": self.nano_cpus,
            "PidsLimit": self.processes,
        }


def read_limits(env: Environment) -> Limits:
    """Read the three limits; a malformed one keeps the supervisor from starting."""
    values = {name: env.optional(name, DEFAULTS[name]).strip().lower() for name in NAMES}
    memory, cpus, processes = (values[name] for name in NAMES)
    return Limits(
        memory=0 if memory in UNLIMITED else _memory(env, memory),
        nano_cpus=0 if cpus in UNLIMITED else _nano_cpus(env, cpus),
        processes=0 if processes in UNLIMITED else _processes(env, processes),
    )


def _memory(env: Environment, text: str) -> int:
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([bkmg]?)", text)
    size = int(float(match[1]) * UNITS[match[2]]) if match else 0
    if size < SMALLEST_MEMORY:
        env.problem("RAKAZO_COMPUTER_MEMORY", f"is {text!r}; write 2g, 1536m or bytes, at least 6m, or none")
    return size


def _nano_cpus(env: Environment, text: str) -> int:
    nano = int(float(text) * NANO) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else 0
    if nano <= 0:
        env.problem("RAKAZO_COMPUTER_CPUS", f"is {text!r}; write a number of processors as 2 or 1.5, or none")
    return nano


def _processes(env: Environment, text: str) -> int:
    if not text.isdecimal() or int(text) <= 0:
        env.problem("RAKAZO_COMPUTER_PIDS_LIMIT", f"is {text!r}; write a number of processes as 2048, or none")
        return 0
    return int(text)
