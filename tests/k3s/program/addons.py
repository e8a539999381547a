"""What k3s deploys into its own cluster: the manifests in a folder of the server, applied whenever they change.

CoreDNS and local-path-provisioner are those of the embedded cluster, with k3s' places and tolerations instead of its.
"""

import pkgutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any

import yaml

from tests.k3s.program import images, journal
from tests.k3s.program.http_client import Answer
from tests.k3s.program.images import Archive
from tests.k3s.program.kube import Kube
from tests.k3s.program.paths import write
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.settings import ServerSettings

SHIPPED = {
    "coredns": ("coredns.yaml", ("coredns",)),
    "local-storage": ("storage.yaml", ("local-path-provisioner", "toolbox")),
}
"""Component that `disable` may name to its manifest and the images that it needs."""
TOLERATIONS = [
    {"key": "CriticalAddonsOnly", "operator": "Exists"},
    {"key": "node-role.kubernetes.io/control-plane", "operator": "Exists", "effect": "NoSchedule"},
]
LOOK_SECONDS = 5.0


def permissions() -> list[dict[str, Any]]:
    """Return what the nodes' programs need before anything else."""
    content = pkgutil.get_data(__package__, "manifests/k3s.yaml") or b""
    return [document for document in yaml.safe_load_all(content) if document]


def render(settings: ServerSettings, archives: list[Archive], component: str) -> str:
    """Return the manifest of a component; Refusal when one of its images is not there."""
    file, names = SHIPPED[component]
    values = {
        "domain": settings.cluster.domain,
        "forward": "/etc/resolv.conf",
        "dns_service": settings.cluster.dns_service,
        "volumes": settings.storage,
        **{name.replace("-", "_"): images.named(archives, name) for name in names},
    }
    text = (pkgutil.get_data("local.cluster.manifests", file) or b"").decode()
    documents = [document for document in yaml.safe_load_all(Template(text).substitute(values)) if document]
    for document in documents:
        if document["kind"] == "Deployment":
            pod = document["spec"]["template"]["spec"]
            pod.pop("nodeSelector", None)
            pod["tolerations"] = TOLERATIONS
    return yaml.safe_dump_all(documents, sort_keys=False)


def lay_out(settings: ServerSettings, archives: list[Archive], folder: Path) -> None:
    """Write the shipped manifests into the folder, and note beside those that are disabled that they are skipped."""
    for component in SHIPPED:
        place = folder / f"{component}.yaml"
        skip = place.with_name(f"{place.name}.skip")
        if component in settings.disabled:
            write(skip, "")
        else:
            skip.unlink(missing_ok=True)
            try:
                write(place, render(settings, archives, component))
            except Refusal as refusal:
                journal.warn(f"{component} is not deployed: {refusal}")


class Addons:
    """Keeps the cluster at what the folder says."""

    def __init__(self, api: Kube, folder: Path) -> None:
        """Prepare; nothing is applied."""
        self._api = api
        self._folder = folder
        self._applied: dict[Path, float] = {}

    def keep(self) -> None:
        """Apply what has changed, for ever: run it in a thread of its own that ends with the process."""
        while True:
            for path in sorted(self._folder.glob("*.yaml")):
                self._take(path)
            time.sleep(LOOK_SECONDS)

    def _take(self, path: Path) -> None:
        try:
            changed = path.stat().st_mtime
            if self._applied.get(path) == changed:
                return
            skipped = path.with_name(f"{path.name}.skip").exists()
            for manifest in _documents(path):
                if skipped:
                    self._api.delete(self._api.place(manifest))
                else:
                    self._api.apply(manifest)
        except (OSError, Answer, yaml.YAMLError, KeyError) as error:
            journal.warn(f"failed to process manifest {path}: {error}")
            return
        if skipped:
            path.unlink()
        self._applied[path] = changed
        journal.info(f"Applied manifest at {path}")


def _documents(path: Path) -> Iterator[Mapping[str, Any]]:
    return (document for document in yaml.safe_load_all(path.read_text(encoding="utf-8")) if document)
