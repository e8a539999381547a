"""What Pulumi costs: `pulumi up` against `kubectl apply` and rollout of the very same objects."""

import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console

from local.checkout import PROJECT
from local.stack.deployment import Deployment
from local.stack.folder import StackFolder
from local.stack.pulumi import Pulumi
from operations.bench import cluster
from operations.bench.figure import Figure, ratio, seconds
from operations.failure import OperationError
from operations.secrets import generate

RUNS = 3
ORDER = (
    ("Namespace",),
    ("StatefulSet", "Job"),
    ("Deployment",),
)
"""What has to be there before the next: kubectl does not order, and an api before migrate would crash-loop."""


def measure(console: Console) -> list[Figure]:
    """Deploy and remove the same objects both ways in turn."""
    from local.cluster import way_in
    from local.images import ensure

    built = ensure(console)
    images = {"app": built["app"].reference, "computer": built["computer-lite"].reference}
    images["postgres"] = built["postgres"].reference
    port = urlsplit(way_in(cluster.NAME)).port or 0
    made = Deployment(folder=StackFolder(name=cluster.NAME), images=images, port=port, secrets=generate())
    pulumi = made.prepare()
    first_preview = seconds("first `pulumi preview`", lambda: pulumi.must("preview"))
    by_pulumi: list[float] = []
    by_gate: list[float] = []
    by_kubectl: list[float] = []
    unchanged: list[float] = []
    for _ in range(RUNS):
        said: list[str] = []
        took = seconds("", lambda said=said: said.append(pulumi.must("up", "--yes", "--skip-preview")))  # type: ignore[misc]
        by_gate.append(_of_the_gate(said[0]))
        by_pulumi.append(took.median - by_gate[-1])
        unchanged += seconds("", lambda: pulumi.must("preview", "--expect-no-changes")).runs
        objects = _objects(pulumi)
        pulumi.must("destroy", "--yes", "--skip-preview")
        by_kubectl += seconds("", lambda objects=objects: _apply(made.folder, objects)).runs  # type: ignore[misc]
        _remove(made.folder, objects)
    pulumi.must("up", "--yes", "--skip-preview")
    return [
        Figure(name="`pulumi up` of the application, without its gate", unit="s", runs=tuple(by_pulumi)),
        Figure(name="the gate: every claim proven", unit="s", runs=tuple(by_gate)),
        Figure(name="`kubectl apply` and rollout of the same objects", unit="s", runs=tuple(by_kubectl)),
        ratio("`pulumi up` ÷ `kubectl apply` (goal: at most 1.3)", by_pulumi, by_kubectl),
        first_preview,
        Figure(name="`pulumi preview` without change", unit="s", runs=tuple(unchanged)),
    ]


def _objects(pulumi: Pulumi) -> list[dict[str, Any]]:
    """Return the objects that Pulumi made, as it sent them."""
    state = json.loads(pulumi.must("stack", "export", "--show-secrets"))
    resources = state["deployment"]["resources"]
    objects = [
        _clear(each["inputs"])
        for each in resources
        if each["type"].startswith("kubernetes:") and not each["type"].endswith("Patch")
    ]
    if not objects:
        raise OperationError("the state holds no Kubernetes object, so there is nothing to compare with")
    return objects


def _clear(value: Any) -> Any:
    if isinstance(value, dict):
        if "plaintext" in value:
            return _clear(json.loads(value["plaintext"]))
        return {key: _clear(each) for key, each in value.items() if not key.startswith("__")}
    return [_clear(each) for each in value] if isinstance(value, list) else value


def _apply(folder: StackFolder, objects: list[dict[str, Any]]) -> None:
    later = {kind for kinds in ORDER[1:] for kind in kinds}
    stages = [
        [each for each in objects if each["kind"] in ORDER[0]],
        [each for each in objects if each["kind"] not in {*ORDER[0], *later}],
        *([each for each in objects if each["kind"] in kinds] for kinds in ORDER[1:]),
    ]
    for stage in stages:
        _kubectl(folder, "apply", "--server-side", "--force-conflicts", objects=stage)
        for each in stage:
            if each["kind"] in ("Deployment", "StatefulSet"):
                _kubectl(folder, "rollout", "status", *_reference(each), "--timeout=180s")
            if each["kind"] == "Job":
                _kubectl(folder, "wait", "--for=condition=complete", *_reference(each), "--timeout=180s")


def _remove(folder: StackFolder, objects: list[dict[str, Any]]) -> None:
    _kubectl(folder, "delete", "--ignore-not-found", "--wait", "--timeout=180s", objects=objects[::-1])


def _reference(each: dict[str, Any]) -> list[str]:
    return [f"{each['kind'].lower()}/{each['metadata']['name']}", "--namespace", each["metadata"]["namespace"]]


def _kubectl(folder: StackFolder, *arguments: str, objects: list[dict[str, Any]] | None = None) -> None:
    """Run kubectl; objects go through a file of mode 0600, since Secrets are among them."""
    command = [str(PROJECT / ".venv" / "bin" / "kubectl"), "--kubeconfig", str(folder.kubeconfig), *arguments]
    with tempfile.TemporaryDirectory() as scratch:
        if objects is not None:
            file = Path(scratch) / "objects.json"
            file.touch(mode=0o600)
            file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
            command += ["--filename", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OperationError(f"kubectl {arguments[0]} failed:\n{done.stderr}")


def _of_the_gate(said: str) -> float:
    """Return the seconds that the gate says it took; OperationError when it says nothing."""
    found = re.search(r"claims proven in (\d+) s", said)
    if found is None:
        raise OperationError(f"the gate did not say how long it took: {said[-500:]}")
    return float(found[1])
