"""Where the API of a cluster is that a cloud runs, as the cluster itself says it."""

import pulumi
import pulumi_kubernetes as kubernetes
import pytest

from components.kubernetes.api_endpoints import api_endpoints
from tests.unit import outputs
from tests.unit.recorder import record


def told() -> tuple[str, ...]:
    found = list[tuple[str, ...]]()

    def program() -> None:
        parent = pulumi.ComponentResource("rakazo:test:Parent", "parent")
        provider = kubernetes.Provider("cluster", opts=pulumi.ResourceOptions(parent=parent))
        api_endpoints("cluster-api", provider, parent).apply(found.append)

    record(program)
    return found[0]


def test_an_endpoint_is_an_address_and_a_port() -> None:
    assert told() == (f"{outputs.API_SERVER}:443",)


def test_every_address_is_told_in_an_order_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """B001: the API server lists them as it likes; another order would be a change of the policies."""
    slice_ = {
        "endpoints": [{"addresses": ["10.0.0.9", "10.0.0.8"]}, {"addresses": ["2a01:4f8::11"]}],
        "ports": [{"name": "https", "port": 6443}],
    }
    monkeypatch.setattr("tests.unit.recorder.outputs_of", lambda *_: slice_)
    assert told() == ("10.0.0.8:6443", "10.0.0.9:6443", "[2a01:4f8::11]:6443")
