"""What a computer reaches, each denial with a live listener that answers a pod without policies."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import requests
from kubernetes import client

from probes.pods import Pods
from probes.reach import Answer, Destination, answers, command
from tests.deployments import Deployed
from tests.isolation import ping
from tests.isolation.conftest import Computer
from tests.isolation.destinations import (
    NODES,
    OUTSIDE,
    OUTSIDE_BY_UDP,
    PUBLIC_DNS,
    PUBLIC_WEB,
    of_the_application,
    pod_of,
)

BLOCKED = {Answer.REFUSED, Answer.SILENT}


def from_computer(deployed: Deployed, computer: str, destinations: Sequence[Destination]) -> dict[str, Answer]:
    """Try the destinations from inside a computer."""
    done = deployed.rakazo.execute(computer, command(destinations))
    assert done.exit_code == 0, done.stderr
    return answers(destinations, done.stdout)


def from_pod(pods: Pods, name: str, destinations: Sequence[Destination]) -> dict[str, Answer]:
    """Try the destinations from inside any other pod."""
    return answers(destinations, pods.execute(name, command(destinations)).output)


@contextmanager
def egress_opened(deployed: Deployed) -> Iterator[None]:
    """Lift the computers' egress policy: policies add up, so one that allows everything is that."""
    networking = client.NetworkingV1Api(deployed.api)
    networking.create_namespaced_network_policy(
        deployed.computers,
        {
            "metadata": {"name": "opened-by-a-test"},
            "spec": {"podSelector": {}, "policyTypes": ["Egress"], "egress": [{}]},
        },
    )
    try:
        yield
    finally:
        networking.delete_namespaced_network_policy("opened-by-a-test", deployed.computers)


def wait_for(expected: set[Answer], look: object, seconds: float = 20.0) -> dict[str, Answer]:
    """Look until every answer is one of the expected; return the last answers either way."""
    deadline = time.monotonic() + seconds
    while True:
        seen: dict[str, Answer] = look()  # type: ignore[operator]
        if set(seen.values()) <= expected or time.monotonic() > deadline:
            return seen
        time.sleep(0.3)


def test_private_and_metadata_addresses_are_blocked_and_answer_once_the_policy_is_gone(
    deployed: Deployed, computer: Computer
) -> None:
    """B072, B130: the very same computer reaches every listener, by TCP and UDP, as soon as the policy is lifted."""
    destinations = [*OUTSIDE, *OUTSIDE_BY_UDP, *NODES]
    closed = from_computer(deployed, computer.name, destinations)
    assert {name: answer for name, answer in closed.items() if answer not in BLOCKED} == {}
    with egress_opened(deployed):
        opened = wait_for({Answer.OPEN}, lambda: from_computer(deployed, computer.name, destinations))
        assert {name: answer for name, answer in opened.items() if answer is not Answer.OPEN} == {}
    closed = wait_for(BLOCKED, lambda: from_computer(deployed, computer.name, destinations))
    assert {name: answer for name, answer in closed.items() if answer not in BLOCKED} == {}


def test_the_policies_are_enforced_at_all(deployed: Deployed, control: str, outsiders: Pods) -> None:
    """B084: what a computer is refused answers a pod of the same kind that no policy selects."""
    destinations = [*OUTSIDE, *OUTSIDE_BY_UDP, *NODES, PUBLIC_WEB, PUBLIC_DNS]
    seen = from_pod(outsiders, control, destinations)
    assert {name: answer for name, answer in seen.items() if answer is not Answer.OPEN} == {}


def test_the_public_web_is_reached_by_name(deployed: Deployed, computer: Computer) -> None:
    """The allow twin: DNS for a public name and HTTP to what it names."""
    program = (
        "import urllib.request as r; print(r.urlopen('http://www.example-public.test/', timeout=10).read().decode())"
    )
    done = deployed.rakazo.execute(computer.name, ["python3", "-c", program])
    assert "public-web" in done.stdout, done.stderr


def test_a_public_resolver_is_asked_by_udp(deployed: Deployed, computer: Computer) -> None:
    """The allow twin of the datagrams that are blocked: the very same question, to a public address."""
    assert from_computer(deployed, computer.name, [PUBLIC_DNS]) == {PUBLIC_DNS.name: Answer.OPEN}


def test_a_ping_goes_where_a_connection_may_and_nowhere_else(
    deployed: Deployed, computer: Computer, outsiders: Pods, control: str
) -> None:
    """NetworkPolicy promises nothing about ICMP; this network plugin drops it with the rest, and echo carries data."""
    nodes = [each for each in NODES if each.port == 10250]
    destinations = [*OUTSIDE, *nodes, PUBLIC_WEB]
    everybody = [each.name for each in destinations]
    assert ping.answering(destinations, outsiders.execute(control, ping.command(destinations)).output) == everybody
    done = deployed.rakazo.execute(computer.name, ping.command(destinations))
    assert ping.answering(destinations, done.stdout) == [PUBLIC_WEB.name], done.stderr


def test_names_of_the_cluster_resolve_over_udp_and_tcp(deployed: Deployed, computer: Computer) -> None:
    """B075: DNS that works over UDP alone breaks on long answers."""
    program = (
        "import socket,struct\n"
        "name=b''.join(bytes([len(p)])+p for p in b'kubernetes.default.svc.cluster.local'.split(b'.'))+b'\\0'\n"
        "q=struct.pack('>6H',7,256,1,0,0,0)+name+struct.pack('>2H',1,1)\n"
        "u=socket.socket(socket.AF_INET,socket.SOCK_DGRAM);u.settimeout(5);u.sendto(q,('10.43.0.10',53))\n"
        "print(struct.unpack('>H',u.recv(512)[6:8])[0])\n"
        "t=socket.create_connection(('10.43.0.10',53),5);t.sendall(struct.pack('>H',len(q))+q)\n"
        "print(struct.unpack('>H',t.recv(512)[8:10])[0])\n"
    )
    done = deployed.rakazo.execute(computer.name, ["python3", "-c", program])
    assert done.stdout.split() == ["1", "1"], done.stderr


def test_a_computer_reaches_none_of_the_applications_services(deployed: Deployed, computer: Computer) -> None:
    """B130: Postgres, api and web are closed to a computer by pod address and by Service."""
    destinations = of_the_application(deployed)
    seen = from_computer(deployed, computer.name, destinations)
    assert {name: answer for name, answer in seen.items() if answer not in BLOCKED} == {}
    # At the same moment each of them answers whom it should.
    pods = deployed.pods(deployed.application)
    for caller, called in (("api", "postgres"), ("web", "api")):
        theirs = [each for each in destinations if each.name.startswith(called)]
        heard = from_pod(pods, pod_of(deployed, caller), theirs)
        assert heard == {f"{called} by pod": Answer.OPEN, f"{called} by Service": Answer.OPEN}, caller
    assert requests.get(deployed.url, timeout=10).status_code == 200, "web does not answer at the way in"


def test_api_reaches_postgres_and_web_does_not(deployed: Deployed) -> None:
    """The allow twin of Postgres, and web's deny: each service has its own edges."""
    postgres = [each for each in of_the_application(deployed) if each.name == "postgres by Service"]
    pods = deployed.pods(deployed.application)
    assert from_pod(pods, pod_of(deployed, "api"), postgres) == {"postgres by Service": Answer.OPEN}
    assert from_pod(pods, pod_of(deployed, "web"), postgres)["postgres by Service"] in BLOCKED


def test_a_computer_reaches_no_other_computer(deployed: Deployed, computer: Computer, neighbour: Computer) -> None:
    """Screens have no password: computer to computer is closed in both directions."""
    screen = [Destination(name="screen", address=neighbour.address, port=6080)]
    back = [Destination(name="screen", address=computer.address, port=6080)]
    assert from_computer(deployed, computer.name, screen)["screen"] in BLOCKED
    assert from_computer(deployed, neighbour.name, back)["screen"] in BLOCKED
    # At the same moment both screens answer api.
    pods, api = deployed.pods(deployed.application), pod_of(deployed, "api")
    assert from_pod(pods, api, screen) == from_pod(pods, api, back) == {"screen": Answer.OPEN}


def test_the_applications_services_do_not_reach_metadata(deployed: Deployed) -> None:
    """B083: api, worker and web would be a way around the computers' policy."""
    metadata = [each for each in OUTSIDE if each.address.startswith("169.254.")]
    pods = deployed.pods(deployed.application)
    for component in ("api", "worker", "web"):
        seen = from_pod(pods, pod_of(deployed, component), metadata)
        assert {name: answer for name, answer in seen.items() if answer not in BLOCKED} == {}, component
