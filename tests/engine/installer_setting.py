"""A small stack with nothing but the node installer, on an embedded cluster whose computers' node has no gVisor."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException
from rich.console import Console

from local import cluster as embedded
from local.cluster import ClusterFolder, Facts, policy_enforcer
from local.log_end import log_end
from local.machines.machine import Machine
from local.stack.kubernetes_client import api_client
from probes.pods import Pods, spec
from tests.bare_cluster import CONTAINERD, start
from tests.engine.small_program import SmallProgram
from tests.gvisor_mirror import Mirror
from tests.node_manager import RESTARTED

NAME, CONSOLE = "installer-test", Console(stderr=True)
SPACE, CLASS = "rakazo-nodes", "rakazo-gvisor"
LABEL = "rakazo-infra/gvisor"
SECONDS = 90.0

PROGRAM = """
    import pulumi
    from components.runtimes.gvisor import Gvisor, GvisorArgs
    from components.runtimes.installer.node_installer import NodeInstaller, NodeInstallerArgs
    from components.targets.existing import ExistingCluster
    from stacks.runtime import GvisorRuntime
    from stacks.target import ExistingTarget

    config = pulumi.Config()
    target = ExistingTarget.model_validate(config.require_object("target"))
    runtime = GvisorRuntime(kind="gvisor")
    cluster = ExistingCluster("cluster", target).cluster
    opts = pulumi.ResourceOptions(provider=cluster.provider)
    nodes = NodeInstaller(
        "nodes",
        NodeInstallerArgs(
            application_namespace="rakazo",
            cluster=cluster,
            gvisor=target.gvisor,
            runtime=runtime,
            image=config.require("image"),
        ),
        opts,
    )
    Gvisor(
        "gvisor",
        GvisorArgs(
            application_namespace="rakazo", settings=runtime, node_labels=nodes.node_labels, after=[nodes.ready]
        ),
        opts,
    )
"""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The cluster, and all that is asked of it."""

    facts: Facts
    mirror: Mirror
    program: SmallProgram
    before: str
    """containerd's configuration of the node that nobody has touched."""

    @property
    def api(self) -> client.ApiClient:
        return api_client(ClusterFolder(NAME).kubeconfig)

    @property
    def core(self) -> client.CoreV1Api:
        return client.CoreV1Api(self.api)

    @property
    def machine(self) -> Machine:
        return ClusterFolder(NAME).machine("computers")

    def read(self, path: str) -> str:
        return self.machine.run(["cat", path])

    def label(self, node: str = "computers") -> str | None:
        found: str | None = self.core.read_node(node).metadata.labels.get(LABEL)
        return found

    def restarts(self) -> int:
        return self.machine.log_of("containerd").read_text(errors="replace").count(RESTARTED)

    def pod(self, role: str) -> Any:
        """Return the role's youngest pod that is not on its way out; None when there is none."""
        pods = self.core.list_namespaced_pod(SPACE, label_selector=f"app.kubernetes.io/component={role}").items
        staying = [pod for pod in pods if pod.metadata.deletion_timestamp is None]
        return max(staying, key=lambda pod: pod.metadata.creation_timestamp, default=None)

    def log(self, role: str) -> str:
        try:
            return str(self.core.read_namespaced_pod_log(self.pod(role).metadata.name, SPACE))
        except (ApiException, AttributeError) as error:
            return str(error)

    def told(self) -> dict[str, str]:
        """Return what both pods said last, and what brings their packets to the API."""
        pods = {role: self.log(role)[-1500:] for role in ("node-installer", "node-prover")}
        agents = {name: log_end(self.machine.log_of(name)) for name in ("kube-proxy", policy_enforcer.NAME)}
        return pods | agents

    def has(self, path: str) -> bool:
        """Whether the node has a file."""
        return Path(f"/proc/{self.machine.pid}/root{path}").exists()

    def run_a_computer(self, name: str) -> str:
        """Start a pod as Rakazo does, with nothing but the class, and return its kernel's first words."""
        pods = Pods(self.api, "default")
        pods.start(spec(name, self.facts.images["computer-lite"], ["sleep", "1000"], runtimeClassName=CLASS), SECONDS)
        return pods.execute(name, ["dmesg"]).output.splitlines()[0]

    def wait(self, what: str, check: Callable[[], bool], seconds: float = SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while not check():
            assert time.monotonic() < deadline, f"{what} has not come: {self.told()}"
            time.sleep(0.2)


@contextmanager
def bare_setting(folder: Path) -> Iterator[Setting]:
    """Start the cluster and write the program into a folder; nothing is up yet, and nothing is left afterwards."""
    embedded.down(NAME, CONSOLE)
    facts = start(NAME, CONSOLE)
    mirror = Mirror(NAME, CONSOLE)
    program = SmallProgram(folder=folder)
    program.init()
    program.write(PROGRAM)
    target = {
        "kind": "existing",
        "kubeconfig": str(ClusterFolder(NAME).kubeconfig),
        "context": f"rakazo-{NAME}",
        "kubernetes_version": "1.36",
        "network": {
            "pods": [facts.addresses["pods"]],
            "services": [facts.addresses["services"]],
            "nodes": [facts.addresses["nodes"]],
            "api_servers": [facts.addresses["api"].removeprefix("https://")],
        },
        "storage": {"storage_class": "local-path"},
        "gvisor": mirror.settings,
    }
    program.configure({"target": json.dumps(target), "image": facts.images["computer-lite"]})
    before = ClusterFolder(NAME).machine("computers").run(["cat", CONTAINERD])
    try:
        yield Setting(facts=facts, mirror=mirror, program=program, before=before)
    finally:
        embedded.down(NAME, CONSOLE)
