"""A cluster on machines of an estate, looked at from one of its servers."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from threading import Event
from typing import Any

from tests.machines.machine import Machine

RELEASE, CORDONED = "rakazo-infra/k3s", "rakazo-infra/cordoned"
WRITE_SECONDS = 3.0
"""Between two looks at whether the database takes a change; an election takes as long."""
EDGES = ("InactiveEnterTimestampMonotonic", "ActiveEnterTimestampMonotonic")


@dataclass(frozen=True)
class MachineCluster:
    """The nodes of a cluster, as a server says."""

    server: Machine

    def get(self, *what: str) -> list[dict[str, Any]]:
        """Return the items of a list."""
        said = self.server.run(["k3s", "kubectl", "get", *what, "--output", "json"]).stdout
        found: list[dict[str, Any]] = json.loads(said)["items"]
        return found

    def nodes(self) -> dict[str, dict[str, Any]]:
        """Return every node by name."""
        return {node["metadata"]["name"]: node for node in self.get("nodes")}

    def ready(self) -> set[str]:
        """Return the names of nodes that are ready and take pods."""
        return {
            name
            for name, node in self.nodes().items()
            if not node["spec"].get("unschedulable")
            and {"Ready": "True"} in [{each["type"]: each["status"]} for each in node["status"]["conditions"]]
        }

    def notes(self, key: str) -> dict[str, str | None]:
        """Return an annotation of every node."""
        return {name: node["metadata"].get("annotations", {}).get(key) for name, node in self.nodes().items()}

    def nodes_with_volumes(self) -> set[str]:
        """Return the nodes on whose disks volumes are."""
        terms = [
            each["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"] for each in self.get("persistentvolumes")
        ]
        return {term["matchExpressions"][0]["values"][0] for (term,) in terms}

    @contextmanager
    def written_to(self) -> Iterator[list[str]]:
        """Change something every few seconds while the block runs; the list gets what was said when that failed."""
        failures: list[str] = []
        ended = Event()

        def write() -> None:
            count = 0
            while not ended.wait(WRITE_SECONDS):
                count += 1
                change = ["k3s", "kubectl", "--request-timeout=10s", "annotate", "--overwrite", "namespace", "default"]
                done = self.server.run([*change, f"test/count={count}"], check=False)
                if done.returncode != 0:
                    failures.append(f"{time.monotonic():.0f}: {done.stderr}")
            assert count > 0

        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(write)
            try:
                yield failures
            finally:
                ended.set()
            writing.result()


def away(machine: Machine, unit: str) -> tuple[float, float]:
    """Return when k3s was stopped last and when it ran again, in seconds of the host's clock that never jumps."""
    asked = ["systemctl", "show", unit, *(f"--property={edge}" for edge in EDGES)]
    said = dict(line.split("=", 1) for line in machine.run(asked).stdout.splitlines())
    stopped, started = (int(said[edge]) / 1e6 for edge in EDGES)
    return stopped, started


def assert_one_after_the_other(spans: list[tuple[float, float]]) -> None:
    """Each ends before the next one begins."""
    for stopped, started in spans:
        assert 0 < stopped < started, spans
    for (_, ended), (begins, _) in pairwise(spans):
        assert ended < begins, spans
