"""What a report says of the stack itself, by what it runs on."""

from dataclasses import dataclass
from typing import Any

from probes.docker.facts import DockerFacts
from probes.facts import Facts
from probes.verification import Verification

KUBERNETES_FACTS = (
    "context",
    "application",
    "computers",
    "account",
    "runtime",
    "runtime_class",
    "waits_for_policies",
    "pods",
    "services",
    "nodes",
    "api_servers",
    "denied_ranges",
    "neighbours",
    "last_screen_port",
    "maximum",
    "memory",
)
DOCKER_FACTS = (
    "kind",
    "machine",
    "address",
    "application",
    "runtime",
    "denied_ranges",
    "neighbours",
    "last_screen_port",
    "maximum",
    "cpu",
    "memory",
    "pids",
    "mounts",
    "web",
)
"""What of a stack's facts says where the result holds; named one by one, so that a new fact is not told unasked."""

Rows = list[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class StackWords:
    """The parts of a report that depend on what the stack runs on."""

    inside: str
    """What was looked from: the report's first line ends with it."""
    where: Rows
    """Where it was measured, below the verdict."""
    about: str
    """The same in one line."""
    nodes: tuple[str, str, str]
    """Heads of the table of nodes."""
    rows: Rows
    """Every fact that is shown."""


def words(verification: Verification) -> StackWords:
    """Return them."""
    facts = verification.facts
    if isinstance(facts, DockerFacts):
        return _docker(facts, verification.server_version)
    return _kubernetes(facts, verification.server_version)


def as_json(verification: Verification) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the facts that a document tells, and the versions of what the stack runs on."""
    facts = verification.facts
    if isinstance(facts, DockerFacts):
        nodes = [
            {"name": name, "engine": engine, "container_runtime": runtime}
            for name, engine, runtime in verification.nodes
        ]
        versions = {"docker": verification.server_version, "nodes": nodes}
        return facts.model_dump(mode="json", include=set(DOCKER_FACTS)), versions
    nodes = [
        {"name": name, "kubelet": kubelet, "container_runtime": runtime}
        for name, kubelet, runtime in verification.nodes
    ]
    versions = {"kubernetes": verification.server_version, "nodes": nodes}
    return facts.model_dump(mode="json", include=set(KUBERNETES_FACTS)), versions


def _kubernetes(facts: Facts, version: str) -> StackWords:
    return StackWords(
        inside="pods",
        where=[("Cluster", facts.context), ("Kubernetes", version), ("Runtime of computers", facts.runtime)],
        about=f"context {facts.context}, namespaces {facts.application} and {facts.computers}, runtime "
        f"{facts.runtime}, Kubernetes {version}",
        nodes=("Node", "kubelet", "Container runtime"),
        rows=[
            ("Namespace of the application", facts.application),
            ("Namespace of computers", facts.computers),
            ("RuntimeClass", facts.runtime_class),
            ("Computers at most", str(facts.maximum)),
            ("Memory of a computer", facts.memory),
            ("Pods", ", ".join(facts.pods)),
            ("Services", ", ".join(facts.services)),
            ("Nodes", ", ".join(facts.nodes)),
            ("Denied to computers", ", ".join(facts.denied_ranges)),
        ],
    )


def _docker(facts: DockerFacts, version: str) -> StackWords:
    return StackWords(
        inside="containers",
        where=[
            ("Machine", f"{facts.machine} at {facts.address}"),
            ("Docker Engine", version),
            ("Runtime of computers", f"{facts.runtime}: they share the machine's kernel"),
        ],
        about=f"machine {facts.machine} at {facts.address}, project {facts.application}, runtime {facts.runtime}, "
        f"Docker Engine {version}",
        nodes=("Machine", "Engine", "Container runtime"),
        rows=[
            ("Project of the application", facts.application),
            ("Computers at most", f"{facts.maximum} in one space"),
            ("Cores of a computer", facts.cpu),
            ("Memory of a computer", facts.memory),
            ("Processes of a computer", str(facts.pids)),
            ("Folders of the machine in computers", ", ".join(each.source for each in facts.mounts) or "none"),
            ("Way in", facts.web),
            ("Denied to computers", ", ".join(facts.denied_ranges)),
        ],
    )
