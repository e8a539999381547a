"""The embedded cluster with IPv6 beside IPv4: addresses, names, ways, and policies that are enforced for both.

Needs root and a kernel with IPv6. The default, IPv4 alone, is what every other test of this tier starts.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from kubernetes import client
from rich.console import Console

from local import cluster as embedded
from local.cluster import ClusterFolder, Facts, addresses
from local.cluster.family import DUAL_STACK, IPV4, IPV6
from local.log_end import log_end
from local.stack.kubernetes_client import api_client
from probes.pods import Pods, spec
from tests.engine.host_state import HostState, remains_of

NAME = "engine-dual"
CONSOLE = Console(stderr=True)
NAMESPACE = "default"
GVISOR = "dual-gvisor"
PORT = 8080
POLICY_SECONDS = 20.0
DENIED = {IPV4.public_web: False, IPV6.public_web: False}
OPEN = {IPV4.public_web: True, IPV6.public_web: True}


SERVE = f"""
import http.server, socket
class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6
Server(("::", {PORT}), http.server.SimpleHTTPRequestHandler).serve_forever()
"""

REACH = """
import json, socket, sys
from concurrent.futures import ThreadPoolExecutor
def reached(place):
    address, port = place.rsplit(" ", 1)
    try:
        socket.create_connection((address, int(port)), 2).close()
    except OSError:
        return False
    return True
places = sys.argv[1:]
with ThreadPoolExecutor(len(places)) as pool:
    print(json.dumps(dict(zip([place.rsplit(" ", 1)[0] for place in places], pool.map(reached, places)))))
"""

FETCH = """
import http.client, json, sys
from concurrent.futures import ThreadPoolExecutor
def fetched(address):
    link = http.client.HTTPConnection(address, 80, timeout=5)
    try:
        link.request("GET", "/")
        return link.getresponse().read().decode().strip()
    except OSError as error:
        return repr(error)
with ThreadPoolExecutor(8) as pool:
    print(json.dumps(dict(zip(sys.argv[1:], pool.map(fetched, sys.argv[1:])))))
"""

RESOLVE = """
import json, socket, sys
print(json.dumps(sorted({each[4][0] for each in socket.getaddrinfo(sys.argv[1], 80)})))
"""


class Walker:
    """A pod from which the network is tried."""

    def __init__(self, pods: Pods, name: str, **more: Any) -> None:
        self._pods, self.name, self._more = pods, name, more

    def create(self, image: str, command: list[str], labels: Mapping[str, str] | None = None) -> None:
        pod = spec(self.name, image, command, tolerations=[{"operator": "Exists"}], **self._more)
        pod["metadata"]["labels"] = {"walks": self.name, **(labels or {})}
        self._pods.create(pod)

    def addresses(self) -> list[str]:
        """Wait until it runs and return its addresses."""
        return [each.ip for each in self._pods.wait_running(self.name).status.pod_ips]

    def run(self, program: str, *arguments: str) -> Any:
        ran = self._pods.execute(self.name, ["python3", "-c", program, *arguments])
        assert ran.exit_code == 0, ran.output
        return json.loads(ran.output)

    def reaches(self, *places: str, port: int = 80) -> dict[str, bool]:
        found: dict[str, bool] = self.run(REACH, *(f"{place} {port}" for place in places))
        return found


@pytest.fixture(scope="module")
def before() -> HostState:
    embedded.down(NAME, CONSOLE)
    return HostState.now()


@pytest.fixture(scope="module")
def facts(before: HostState) -> Iterator[Facts]:
    yield embedded.up(NAME, CONSOLE, dual_stack=True)
    embedded.down(NAME, CONSOLE)


@pytest.fixture(scope="module")
def api(facts: Facts) -> Iterator[client.ApiClient]:
    made = api_client(ClusterFolder(NAME).kubeconfig)
    yield made
    made.rest_client.pool_manager.clear()


@pytest.fixture(scope="module")
def walkers(facts: Facts, api: client.ApiClient) -> dict[str, Walker]:
    """One pod under runc, one under gVisor on the other node, and one that serves; all start at the same time."""
    client.NodeV1Api(api).create_runtime_class({"metadata": {"name": GVISOR}, "handler": "runsc"})
    pods = Pods(api, NAMESPACE)
    made = {
        "runc": Walker(pods, "runc", nodeName=addresses.SYSTEM.name),
        "gvisor": Walker(pods, "gvisor", nodeName=addresses.COMPUTERS.name, runtimeClassName=GVISOR),
        "server": Walker(pods, "server", nodeName=addresses.COMPUTERS.name),
    }
    for name, walker in made.items():
        command = ["python3", "-c", SERVE] if name == "server" else ["sleep", "1000"]
        walker.create(facts.images["computer-lite"], command)
    for walker in made.values():
        walker.addresses()
    return made


RUNTIMES = pytest.mark.parametrize("runtime", ["runc", "gvisor"])


def until(looked: Callable[[], dict[str, bool]], expected: Mapping[str, bool]) -> None:
    """Look until the answers are the expected ones; on expiry fail with the policy enforcer's last lines."""
    deadline = time.monotonic() + POLICY_SECONDS
    while (found := looked()) != expected:
        if time.monotonic() > deadline:
            logs = [ClusterFolder(NAME).machine(node.name).log_of("kube-router") for node in addresses.NODES]
            told = "\n".join(f"--- {log.name}\n{log_end(log)}" for log in logs)
            pytest.fail(f"after {POLICY_SECONDS:.0f} s {found} instead of {dict(expected)}\n{told}")


def policy(name: str, selected: Mapping[str, str], *egress: dict[str, Any]) -> dict[str, Any]:
    return {
        "metadata": {"name": name},
        "spec": {"podSelector": {"matchLabels": selected}, "policyTypes": ["Egress"], "egress": list(egress)},
    }


def test_nodes_have_addresses_and_pod_ranges_of_both_families(facts: Facts, api: client.ApiClient) -> None:
    nodes = {node.metadata.name: node for node in client.CoreV1Api(api).list_node().items}
    for name, node in nodes.items():
        held = [each.address for each in node.status.addresses if each.type == "InternalIP"]
        assert held == [family.node_addresses[name] for family in DUAL_STACK]
        assert node.spec.pod_cidrs == [family.node_pods[name] for family in DUAL_STACK]
    assert set(nodes) == {"system", "computers"}
    assert facts.dual_stack


def test_a_second_up_without_the_option_keeps_both_families(facts: Facts) -> None:
    assert embedded.up(NAME, CONSOLE) == facts
    assert embedded.status(NAME).healthy


def test_pods_have_an_address_of_each_family(walkers: dict[str, Walker]) -> None:
    for walker in walkers.values():
        assert [":" in address for address in walker.addresses()] == [False, True]


@RUNTIMES
def test_a_public_name_has_an_address_of_each_family(walkers: dict[str, Walker], runtime: str) -> None:
    for name in (addresses.PUBLIC_NAME, addresses.WELL_KNOWN_NAME):
        assert walkers[runtime].run(RESOLVE, name) == sorted([IPV4.public_web, IPV6.public_web])


@RUNTIMES
def test_every_kind_of_place_outside_answers_a_pod_while_no_policy_forbids_it(
    walkers: dict[str, Walker], runtime: str
) -> None:
    expected = {address: kind for family in DUAL_STACK for address, kind in family.listeners.items()}
    assert walkers[runtime].run(FETCH, *expected) == expected
    assert walkers[runtime].reaches(IPV4.public_web, IPV6.public_web, port=443) == OPEN


def test_a_pod_reaches_a_pod_of_another_node_and_a_service_by_both_families(
    walkers: dict[str, Walker], api: client.ApiClient
) -> None:
    ports = [{"port": PORT}]
    service = {"ipFamilyPolicy": "RequireDualStack", "selector": {"walks": "server"}, "ports": ports}
    made = client.CoreV1Api(api).create_namespaced_service(NAMESPACE, {"metadata": {"name": "served"}, "spec": service})
    places = [*walkers["server"].addresses(), *made.spec.cluster_ips]
    assert [":" in place for place in places] == [False, True, False, True]
    until(lambda: walkers["runc"].reaches(*places, port=PORT), dict.fromkeys(places, True))


@RUNTIMES
def test_a_policy_closes_both_families_and_its_end_opens_both(
    walkers: dict[str, Walker], api: client.ApiClient, runtime: str
) -> None:
    """kube-router 2.1.0 by itself enforces IPv4 alone and says so in its log only."""
    networking, walker = client.NetworkingV1Api(api), walkers[runtime]
    assert walker.reaches(*OPEN) == OPEN
    networking.create_namespaced_network_policy(NAMESPACE, policy("closed", {"walks": runtime}))
    try:
        until(lambda: walker.reaches(*OPEN), DENIED)
    finally:
        networking.delete_namespaced_network_policy("closed", NAMESPACE)
    until(lambda: walker.reaches(*OPEN), OPEN)


@RUNTIMES
def test_under_a_policy_from_its_birth_a_pod_reaches_what_is_allowed_and_nothing_else(
    facts: Facts, walkers: dict[str, Walker], api: client.ApiClient, runtime: str
) -> None:
    """The pod must be able to discover its gateway, although no policy for egress names it."""
    networking, pods = client.NetworkingV1Api(api), Pods(api, NAMESPACE)
    blocks = [
        {"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8"]},
        # Not fc00::/7: kube-router writes ::/0 as 2000::/3 and fd00::/8, and the narrower of two ranges counts.
        {"cidr": "::/0", "except": ["fc00::/8", "fd00::/8", "64:ff9b::/96"]},
    ]
    allowed = {"to": [{"ipBlock": block} for block in blocks]}
    networking.create_namespaced_network_policy(NAMESPACE, policy("public", {"policy": "public"}, allowed))
    more: dict[str, Any] = {"runtimeClassName": GVISOR} if runtime == "gvisor" else {}
    walker = Walker(pods, f"born-{runtime}", nodeName=addresses.COMPUTERS.name, **more)
    expected = {**OPEN, addresses.NEIGHBOUR: False, "fd12:3456:789a::10": False, "64:ff9b::a63:a": False}
    try:
        walker.create(facts.images["computer-lite"], ["sleep", "1000"], {"policy": "public"})
        walker.addresses()
        until(lambda: walker.reaches(*expected), expected)
    finally:
        networking.delete_namespaced_network_policy("public", NAMESPACE)
    until(lambda: walker.reaches(*expected), dict.fromkeys(expected, True))


def test_down_leaves_the_machine_as_it_was(walkers: dict[str, Walker], before: HostState) -> None:
    """Last of this module: it ends the module's cluster after everything above was done to it."""
    embedded.down(NAME, CONSOLE)
    assert HostState.lasting_since(before) == {}
    assert remains_of(ClusterFolder(NAME)) == []
