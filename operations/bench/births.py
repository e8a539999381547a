"""The first seconds of many new computers, with and without the wait in front of them, under gVisor and runc."""

import json
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from kubernetes import client
from rich.console import Console

from local.stack.deployment import Deployment
from local.stack.folder import StackFolder
from local.stack.kubernetes_client import api_client
from operations.bench import cluster
from operations.bench.figure import Figure
from operations.failure import OperationError
from operations.secrets import generate
from probes.birth import Birth
from probes.claims.admission_verdict import QUOTA
from probes.claims.dry_run import dry_run
from probes.facts import Facts
from probes.newborns import measure as born
from probes.scene import Scene
from probes.stage import Stage
from probes.surroundings import look_around

COMPUTERS = 20
SECONDS = 2.5
RUNTIMES = {"gVisor": {"kind": "gvisor"}, "runc": {"kind": "runc"}}
PATIENCE_SECONDS = 30.0


def measure(console: Console) -> list[Figure]:
    """Deploy under each runtime, then let computers be born with the wait and without it."""
    figures = []
    for name, runtime in RUNTIMES.items():
        operator, facts = _deployed(console, runtime)
        figures += _of(f"{name}, with the wait", _births(operator, facts))
        _lift(operator, facts)
        figures += _of(f"{name}, without it", _births(operator, facts))
    return figures


def _deployed(console: Console, runtime: dict[str, str]) -> tuple[client.ApiClient, Facts]:
    from local.cluster import way_in
    from local.images import ensure

    built = ensure(console)
    images = {"app": built["app"].reference, "computer": built["computer-lite"].reference}
    images["postgres"] = built["postgres"].reference
    folder = StackFolder(name=cluster.NAME)
    changes = {"computers.maximum": COMPUTERS + 2, "runtime": runtime, "proof.gate": "report"}
    port = urlsplit(way_in(cluster.NAME)).port or 0
    made = Deployment(folder=folder, images=images, port=port, secrets=generate(), changes=changes)
    pulumi = made.prepare()
    # The last runtime's bindings were lifted behind Pulumi's back.
    pulumi.must("up", "--yes", "--skip-preview", "--refresh")
    outputs = json.loads(pulumi.must("stack", "output", "--json"))
    return api_client(folder.kubeconfig), Facts.unpack(outputs["facts"])


def _births(operator: client.ApiClient, facts: Facts) -> list[Birth]:
    with Stage(operator, facts, "bench", lambda _line: None):
        return born(Scene(operator, facts, look_around(operator, facts), "bench"), COMPUTERS, SECONDS)


def _lift(operator: client.ApiClient, facts: Facts) -> None:
    """Take away the wait and the rule that demands it, until a dry run shows that both are gone."""
    admission = client.AdmissionregistrationV1Api(operator)
    admission.delete_validating_admission_policy_binding(f"{facts.application}-computers")
    client.CustomObjectsApi(operator).delete_cluster_custom_object(
        "admissionregistration.k8s.io", "v1", "mutatingadmissionpolicybindings", f"{facts.application}-startup-wait"
    )
    scene = Scene(operator, facts, look_around(operator, facts), "bench")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        made = dry_run(scene.computers, scene.new_computer("bench-dry-run"))
        if not isinstance(made, str) and not made.spec.init_containers:
            return
        if time.monotonic() > deadline or (isinstance(made, str) and QUOTA in made):
            raise OperationError(f"the wait is still in force {PATIENCE_SECONDS:.0f} s after its binding went: {made}")
        time.sleep(0.2)


def _of(name: str, births: Sequence[Birth]) -> list[Figure]:
    windows = [window for birth in births for window in birth.windows]
    figures = [
        Figure(name=f"{name}: connections of one computer", unit="", runs=tuple(float(w.opened) for w in windows)),
        Figure(name=f"{name}: last of them", unit="s", runs=tuple(w.last for w in windows)),
    ]
    waits = tuple(birth.waited for birth in births if birth.waited is not None)
    return [*figures, Figure(name=f"{name}: what it waited", unit="s", runs=waits)] if waits else figures
