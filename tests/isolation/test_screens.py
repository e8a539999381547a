"""Who reaches a computer's ports: the application's three services, and nobody else."""

import asyncio
from collections.abc import Iterator

import pytest

from probes.pods import Pods, Ran, spec
from probes.reach import Answer, Destination
from tests.deployments import Deployed
from tests.isolation.conftest import SERVE, Computer
from tests.isolation.destinations import pod_of
from tests.isolation.live_screen import GREETING, watch_until_deleted
from tests.isolation.test_egress import BLOCKED, from_pod
from tests.rakazo_account import as_computer, as_rakazo

OPEN_PORTS = (6080, 6100, 6101, 6150, 6199)
CLOSED_PORTS = (5900, 6081, 6099, 6200, 7070)


CLOSING_SECONDS = 3.0
"""Web asks api every second whether a screen is still granted."""


@pytest.fixture(scope="module")
def server(deployed: Deployed) -> Iterator[str]:
    """A pod in the computers' namespace that answers on every port in question; returns its address."""
    ports = (*OPEN_PORTS, *CLOSED_PORTS)
    pods = as_rakazo(deployed)
    pods.start(as_computer("answers-everywhere", deployed, [*SERVE, ",".join(map(str, ports))]))
    yield deployed.pods(deployed.computers).address("answers-everywhere")
    pods.delete("answers-everywhere")


def destinations(address: str, ports: tuple[int, ...]) -> list[Destination]:
    """One destination a port."""
    return [Destination(name=str(port), address=address, port=port) for port in ports]


@pytest.mark.parametrize("component", ["api", "worker", "web"])
def test_a_service_of_the_application_reaches_the_screens_and_no_other_port(
    deployed: Deployed, server: str, component: str
) -> None:
    """B078, B080: the range is open to its end, and the ports beside it are not."""
    pods, pod = deployed.pods(deployed.application), pod_of(deployed, component)
    opened = from_pod(pods, pod, destinations(server, OPEN_PORTS))
    assert {port: answer for port, answer in opened.items() if answer is not Answer.OPEN} == {}
    closed = from_pod(pods, pod, destinations(server, CLOSED_PORTS))
    assert {port: answer for port, answer in closed.items() if answer not in BLOCKED} == {}


def test_a_pod_of_another_namespace_reaches_no_screen(
    deployed: Deployed, server: str, outsiders: Pods, control: str
) -> None:
    """The deny twin: screens have no password, so the policy is the lock."""
    seen = from_pod(outsiders, control, destinations(server, OPEN_PORTS))
    assert {port: answer for port, answer in seen.items() if answer not in BLOCKED} == {}


def test_a_pod_of_another_namespace_with_the_services_labels_reaches_no_screen(
    deployed: Deployed, server: str, outsiders: Pods
) -> None:
    """B079: namespace and labels have to match together; as two peers either alone would open the door."""
    pod = spec("impostor", deployed.images["computer"])
    pod["metadata"]["labels"] = {
        "app.kubernetes.io/name": "rakazo",
        "app.kubernetes.io/component": "web",
        "app.kubernetes.io/instance": deployed.application,
    }
    outsiders.start(pod)
    seen = from_pod(outsiders, "impostor", destinations(server, OPEN_PORTS))
    outsiders.delete("impostor")
    assert {port: answer for port, answer in seen.items() if answer not in BLOCKED} == {}


def test_a_pod_of_the_applications_namespace_without_the_labels_reaches_no_screen(
    deployed: Deployed, server: str
) -> None:
    """B079: the other half of the same mistake."""
    pods = deployed.pods(deployed.application)
    pods.start(spec("stray", deployed.images["computer"]))
    seen = from_pod(pods, "stray", destinations(server, OPEN_PORTS))
    pods.delete("stray")
    assert {port: answer for port, answer in seen.items() if answer not in BLOCKED} == {}


def test_postgres_reaches_no_screen(deployed: Deployed, server: str) -> None:
    """The database has no business with computers; its image has no Python, so bash dials."""
    pods, postgres = deployed.pods(deployed.application), pod_of(deployed, "postgres")

    def dialled(address: str, port: int) -> Ran:
        return pods.execute(postgres, ["timeout", "3", "bash", "-c", f"exec 3<>/dev/tcp/{address}/{port}"])

    own = dialled(pods.address(postgres), 5432)
    assert own.exit_code == 0, f"the probe does not work: {own.output}"
    assert dialled(server, 6080).exit_code != 0
    screen = destinations(server, (6080,))
    assert from_pod(pods, pod_of(deployed, "api"), screen) == {"6080": Answer.OPEN}


def test_the_screen_is_reached_through_web(deployed: Deployed, computer: Computer) -> None:
    """The whole way of a person: a signed capability, web, the computer."""
    answer = deployed.rakazo.screen(computer.name)
    assert answer.status_code == 200, answer.text
    assert "stand-in" in answer.text.lower()


def test_a_live_screen_is_closed_when_its_computer_ends(deployed: Deployed) -> None:
    """A WebSocket through the way in and web to the computer: it greets, echoes, and ends with the computer."""
    name = str(deployed.rakazo.create("watched")["name"])
    try:
        opened = asyncio.run(watch_until_deleted(deployed, name))
    finally:
        deployed.rakazo.delete(name)
    assert opened.greeting == GREETING
    assert opened.echo == b"from the browser"
    assert opened.closed_after < CLOSING_SECONDS, f"still open {opened.closed_after:.1f} s after the computer's end"
