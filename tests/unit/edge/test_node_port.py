"""Which ports of the nodes lead where. That a proxy stands in front of them is the operator's part."""

from tests.unit.example import deployed
from tests.unit.recorder import Recorder


def opened(recorder: Recorder) -> dict[str, int]:
    """Port of the nodes by the component that it leads to."""
    return {
        service.inputs["spec"]["selector"]["app.kubernetes.io/component"]: port["nodePort"]
        for service in recorder.of_kind("Service")
        if service.inputs["spec"]["type"] == "NodePort"
        for port in service.inputs["spec"]["ports"]
    }


def test_web_alone_is_opened_unless_api_is_written() -> None:
    """A node port opens all of api past web, not its health check alone."""
    assert opened(deployed(edge={"kind": "node-port"})) == {"web": 30173}


def test_api_is_opened_at_the_port_that_was_written() -> None:
    assert opened(deployed(edge={"kind": "node-port", "web": 30200, "api": 30201})) == {"web": 30200, "api": 30201}
