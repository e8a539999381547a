"""The stack file of an embedded cluster: the committed one, completed with what only this machine knows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from local.checkout import PROJECT
from local.cluster.family import IPV6
from local.cluster.folder import ClusterFolder
from local.stack.folder import StackFolder

SETTINGS = "rakazo:settings"
COMMITTED = PROJECT / "stacks" / "Pulumi.local.yaml"


def complete(
    folder: StackFolder, images: Mapping[str, str], port: int, changes: Mapping[str, Any] | None = None
) -> None:
    """Write the stack file: how this cluster is reached, its families, its port, digests of the images built here.

    `images` maps a key of `settings.images` to a reference with a digest; `port` is the way in on the
    loopback. `changes` are dotted key paths below the settings with their new values. Secrets that a
    former run set are kept.
    """
    document = yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))
    former = _former(folder.stack_file)
    settings = document["config"][SETTINGS]
    settings["target"]["kubeconfig"] = str(folder.kubeconfig.relative_to(PROJECT))
    settings["target"]["context"] = f"rakazo-{folder.name}"
    settings["images"].update(images)
    settings["application"]["public"]["port"] = port
    facts = ClusterFolder(folder.name, root=folder.cluster.parent).facts()
    if facts is not None and facts.dual_stack:
        _add_ipv6(settings)
    for path, value in (changes or {}).items():
        _set(settings, path, value)
    for key, value in former.get("config", {}).items():
        document["config"].setdefault(key, value)
    if "encryptionsalt" in former:
        document["encryptionsalt"] = former["encryptionsalt"]
    folder.stack_file.parent.mkdir(parents=True, exist_ok=True)
    folder.stack_file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")


def _add_ipv6(settings: dict[str, Any]) -> None:
    """Add what a cluster with both families has beside the IPv4 addresses that the committed file names."""
    network = settings["target"]["network"]
    network["pods"].append(IPV6.pods)
    network["services"].append(IPV6.services)
    network["nodes"].append(IPV6.nodes)
    settings.setdefault("proof", {}).setdefault("neighbours", []).extend(IPV6.endpoints)


def _former(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document if isinstance(document, dict) else {}


def _set(settings: dict[str, Any], path: str, value: Any) -> None:
    *parents, key = path.split(".")
    for parent in parents:
        settings = settings.setdefault(parent, {})
    settings[key] = value
