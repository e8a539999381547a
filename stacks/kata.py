"""Kata Containers: the hypervisor of a computer, what it costs, and the chart that brings it to nodes."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from stacks.base import Model

Shim = Literal["qemu-runtime-rs", "clh-runtime-rs", "dragonball"]
"""As the chart calls them. Not here: those written in Go, which are deprecated, and Firecracker, which needs a
snapshotter of its own on the node."""
OLDEST_CHART = (4, 1, 0)
"""The release that mends GHSA-fmg6-v47x-52wr."""
CPU = "250m"
MEMORY = "320Mi"
LIGHT_MEMORY = "130Mi"
_LIGHT = ("clh", "dragonball", "fc")
_RELEASE = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
_PLACE = r"[a-z0-9]([-.a-z0-9]*[a-z0-9])?(:[0-9]{1,5})?(/[a-z0-9]+([-._]+[a-z0-9]+)*)+"
_REPOSITORY = re.compile(f"oci://{_PLACE}")
_REFERENCE = re.compile(rf"{_PLACE}(:[A-Za-z0-9_][-.A-Za-z0-9_]{{0,127}}|@sha256:[0-9a-f]{{64}})")


def memory_beside(handler: str) -> str:
    """Return what a virtual machine takes beside its containers, as the chart books it by the handler's name."""
    return LIGHT_MEMORY if handler.removeprefix("kata-").startswith(_LIGHT) else MEMORY


def _checked_handler(handler: str) -> str:
    if not handler.startswith("kata"):
        raise ValueError(
            "is no handler of Kata, so the class would promise a virtual machine that nobody starts; write the name "
            "under which the nodes' containerd knows it, such as handler: kata-qemu-runtime-rs"
        )
    return handler


def _checked_version(text: str) -> str:
    match = _RELEASE.fullmatch(text)
    if match is None:
        raise ValueError('is not a release of the chart; write it as "4.1.0"')
    if tuple(map(int, match.groups())) < OLDEST_CHART:
        oldest = ".".join(map(str, OLDEST_CHART))
        raise ValueError(f"is older than {oldest}, which closes a hole that is public; write {oldest} or newer")
    return text


def _checked_repository(text: str) -> str:
    if not _REPOSITORY.fullmatch(text):
        raise ValueError('is not a repository; write it as "oci://registry.example.com/kata", without a tag')
    return text


def _checked_reference(text: str) -> str:
    if not _REFERENCE.fullmatch(text) or text.endswith(":latest"):
        raise ValueError(
            'names no one image; write it with a tag that does not move, or with its digest, such as "4.1.0" in '
            '"registry.example.com/kata-deploy:4.1.0"'
        )
    return text


KataHandler = Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"), AfterValidator(_checked_handler)]
Reference = Annotated[str, AfterValidator(_checked_reference)]


class KataImages(Model):
    """What the chart runs in the cluster; for nodes without a way to these registries, copies in yours."""

    installer: Reference | None = None
    """Holds Kata itself. Unset: quay.io/kata-containers/kata-deploy of the chart's release."""
    dispatcher: Reference = "ghcr.io/kata-containers/k8s-job-dispatcher:0.1.0"
    """Sends the installer to the nodes."""
    kubectl: Reference = "quay.io/kata-containers/kubectl:20260816"
    """Removes the chart's rights at the end."""


class KataChart(Model):
    """The chart kata-deploy, which puts Kata on nodes and takes it away again."""

    version: Annotated[str, AfterValidator(_checked_version)] = "4.1.0"
    """Release of the chart, and of Kata with it. Never moves by itself."""
    repository: Annotated[str, AfterValidator(_checked_repository)] = "oci://ghcr.io/kata-containers/kata-deploy-charts"
    """Holds `kata-deploy`; read from where Pulumi runs, not by the nodes."""
    images: KataImages = KataImages()
    """What it runs."""
