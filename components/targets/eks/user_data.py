"""What a new node is told about itself at its first start."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from components.k3s.gvisor import render_runsc
from stacks.target.gvisor import GvisorSettings

LIMIT = 16 * 1024
"""Bytes; EC2's limit."""
HANDLER = "runsc"
SETTINGS_FILE = "/etc/containerd/runsc.toml"
_BOUNDARY = "rakazo-infra"
_SCRIPTS = Path(__file__).with_name("scripts")


@dataclass(frozen=True, kw_only=True)
class Joining:
    """What a node of a group that EKS does not manage has to know to join."""

    cluster: str
    endpoint: str
    authority: str
    """The API's certificate in Base64; everybody may know it."""
    services: str
    """The range of Services."""
    labels: dict[str, str]
    taints: tuple[str, ...]
    """As `key=value:effect`."""


def render_gvisor(settings: GvisorSettings) -> str:
    """Return the document for a node of computers on gVisor, to which EKS adds how it joins.

    The configuration is read and the script has run before containerd starts for the first time.
    """
    config = f"""[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.{HANDLER}]
runtime_type = "io.containerd.runsc.v1"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.{HANDLER}.options]
TypeUrl = "io.containerd.runsc.v1.options"
ConfigPath = "{SETTINGS_FILE}"
"""
    variables = {
        "RELEASE": settings.release,
        "URL": settings.url,
        "SHA512": settings.sha512,
        # The same settings and the same folder as on machines of our own.
        "SETTINGS": render_runsc(settings),
    }
    return _checked(_joined([_node_config({"containerd": {"config": config}}), _script("gvisor", variables)]))


def render_joining(joining: Joining) -> str:
    """Return the document for a node that joins by itself, if it can start virtual machines."""
    labels = ",".join(f"{key}={value}" for key, value in sorted(joining.labels.items()))
    flags = [f"--node-labels={labels}", f"--register-with-taints={','.join(joining.taints)}"]
    cluster = {
        "name": joining.cluster,
        "apiServerEndpoint": joining.endpoint,
        "certificateAuthority": joining.authority,
        "cidr": joining.services,
    }
    return _checked(_joined([_node_config({"cluster": cluster, "kubelet": {"flags": flags}}), _script("kata", {})]))


def _node_config(spec: dict[str, object]) -> tuple[str, str]:
    document = {"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec}
    return "application/node.eks.aws", yaml.dump(document, Dumper=_Readable, sort_keys=False, width=1000)


def _script(name: str, variables: Mapping[str, str]) -> tuple[str, str]:
    lines = [f"{key}={shlex.quote(value)}" for key, value in variables.items()]
    text = "\n".join(["#!/bin/bash", *lines, (_SCRIPTS / name).read_text(encoding="utf-8")])
    return 'text/x-shellscript; charset="us-ascii"', text


def _joined(parts: list[tuple[str, str]]) -> str:
    lines = ["MIME-Version: 1.0", f'Content-Type: multipart/mixed; boundary="{_BOUNDARY}"', ""]
    for kind, text in parts:
        lines += [f"--{_BOUNDARY}", f"Content-Type: {kind}", "", text.rstrip("\n"), ""]
    return "\n".join([*lines, f"--{_BOUNDARY}--", ""])


def _checked(text: str) -> str:
    size = len(text.encode("ascii"))
    if size > LIMIT:
        raise ValueError(f"the user data of a node has {size} bytes, and EC2 takes {LIMIT}; shorten gvisor.mirror")
    return text


class _Readable(yaml.SafeDumper):
    """Writes text of several lines as such, so that a person can read what a node was told."""


def _as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Readable.add_representer(str, _as_block)
