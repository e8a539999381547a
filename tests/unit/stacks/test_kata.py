"""Which targets Kata goes with, and what else a stack may say about it."""

from collections.abc import Callable
from typing import Any

import pytest

from stacks.load import AnyStack, read_settings
from stacks.settings import StackSettings
from tests.unit import example
from tests.unit.stacks import hetzner_stack, server_stack

DOCUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "existing": example.document,
    "hetzner": hetzner_stack.document,
    "server": lambda: server_stack.document(gvisor=None),
}


def read(target: str, **runtime: Any) -> AnyStack | list[str]:
    document = DOCUMENTS[target]()
    document["runtime"] = {"kind": "kata", **runtime}
    return read_settings(document)


def refused(target: str, **runtime: Any) -> str:
    faults = read(target, **runtime)
    assert isinstance(faults, list)
    (fault,) = faults
    return fault.removeprefix("rakazo:settings").lstrip(".: ")


@pytest.mark.parametrize(
    ("target", "runtime", "told"),
    [
        ("existing", {}, None),
        ("existing", {"handler": "kata-qemu"}, None),
        ("existing", {"chart": {}}, "runtime.chart: nothing is installed on nodes that somebody else runs"),
        ("server", {}, None),
        ("server", {"shim": "dragonball", "chart": {"version": "4.2.0"}}, None),
        (
            "server",
            {"handler": "kata-qemu"},
            "runtime.handler: what is installed here is known as kata-qemu-runtime-rs",
        ),
        ("hetzner", {}, "runtime.kind: kata needs virtualization inside the machine, and no server of Hetzner Cloud"),
    ],
)
def test_each_target_takes_of_kata_what_it_can(target: str, runtime: dict[str, Any], told: str | None) -> None:
    """B053: before anything is made, with what to write."""
    if told is None:
        assert isinstance(read(target, **runtime), StackSettings)
    else:
        assert refused(target, **runtime).startswith(told)


def test_where_kata_cannot_be_both_ways_out_are_told() -> None:
    """B053: another runtime here, or another place for the same one."""
    fault = refused("hetzner")
    assert "Write runtime: {kind: gvisor}" in fault
    assert "write target.kind: server" in fault


@pytest.mark.parametrize("version", ["v1.33.5+k3s1", "v1.34.5+k3s1", "v1.35.2+k3s1"])
def test_a_k3s_that_nobody_can_tell_about_kata_is_refused(version: str) -> None:
    """B054: its containerd reads no drop-ins, and the chart's installer writes one."""
    document = server_stack.document(gvisor=None, k3s__version=version)
    document["runtime"] = {"kind": "kata"}
    faults = read_settings(document)
    assert isinstance(faults, list)
    (fault,) = faults
    assert f"target.k3s.version: containerd of k3s {version} reads no drop-ins" in fault
    assert fault.endswith("write v1.34.6, v1.35.3 or newer, or runtime: {kind: gvisor}")
    document["target"]["k3s"]["version"] = "v1.34.6+k3s1"
    assert isinstance(read_settings(document), StackSettings)


@pytest.mark.parametrize("stack", [server_stack, hetzner_stack], ids=["server", "hetzner"])
def test_computers_under_gvisor_need_a_release_of_it_and_others_do_not(stack: Any) -> None:
    document = stack.document(gvisor=None)
    faults = read_settings(document)
    assert isinstance(faults, list)
    assert faults[0].startswith("rakazo:settings: target.gvisor is missing, and computers run under it")
    document["runtime"] = {"kind": "runc"}
    assert isinstance(read_settings(document), StackSettings)


@pytest.mark.parametrize(
    ("runtime", "told"),
    [
        ({"shim": "qemu"}, "runtime.shim must be qemu-runtime-rs, clh-runtime-rs or dragonball"),
        ({"handler": "runsc"}, "runtime.handler is no handler of Kata"),
        ({"handler": "Kata_QEMU"}, "runtime.handler must match"),
        ({"chart": {"version": "4.0.0"}}, "runtime.chart.version is older than 4.1.0, which closes a hole"),
        ({"chart": {"version": "latest"}}, "runtime.chart.version is not a release of the chart"),
        ({"chart": {"repository": "https://charts.example.com"}}, "runtime.chart.repository is not a repository"),
        ({"chart": {"repository": "oci://ghcr.io/charts:4.1.0"}}, "runtime.chart.repository is not a repository"),
        (
            {"chart": {"images": {"kubectl": "quay.io/kubectl:latest"}}},
            "runtime.chart.images.kubectl names no one image",
        ),
        ({"chart": {"images": {"kubectl": "quay.io/kubectl"}}}, "runtime.chart.images.kubectl names no one image"),
    ],
)
def test_what_is_no_kata_is_refused(runtime: dict[str, Any], told: str) -> None:
    assert refused("server", **runtime).startswith(told)


def test_what_a_virtual_machine_takes_is_booked() -> None:
    """B064: eight cores hold fewer computers than their own limits say."""
    document = server_stack.document(gvisor=None)
    document["runtime"] = {"kind": "kata"}
    document["computers"]["nodes"] = {"count": 1, "allocatable": {"cpu": "1", "memory": "8Gi"}}
    settings = read_settings(document)
    assert isinstance(settings, StackSettings)
    assert any("only 2 fit" in warning for warning in settings.warnings())
