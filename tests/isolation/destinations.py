"""What a computer must not reach and what it may, with a live listener behind each address."""

from kubernetes import client

from probes.reach import Destination
from tests.deployments import Deployed

OUTSIDE = (
    Destination(name="cloud metadata", address="169.254.169.254", port=80),
    Destination(name="pod identity agent", address="169.254.170.23", port=80),
    Destination(name="neighbour in 10/8", address="10.99.0.10", port=80),
    Destination(name="neighbour in 172.16/12", address="172.20.0.10", port=80),
    Destination(name="neighbour in 192.168/16", address="192.168.99.10", port=80),
    Destination(name="neighbour in 100.64/10", address="100.64.0.10", port=80),
)
"""One live listener of the embedded outside per kind of private address."""

DNS_QUERY = b"\x00\x07\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03www\x0eexample-public\x04test\x00\x00\x01\x00\x01"
"""A question that every DNS listener of the outside answers: one name, type A, class IN."""

OUTSIDE_BY_UDP = tuple(
    Destination(name=f"{each.name} by UDP", address=each.address, port=53, datagram=DNS_QUERY) for each in OUTSIDE
)
"""The same places by datagrams, which no connection protects: the first packet is the whole message."""

PUBLIC_DNS = Destination(name="public DNS by UDP", address="192.175.48.53", port=53, datagram=DNS_QUERY)
PUBLIC_WEB = Destination(name="public web", address="192.175.48.80", port=80)

NODES = (
    Destination(name="kubelet of the system node", address="10.10.0.11", port=10250),
    Destination(name="kubelet of the computers' node", address="10.10.0.12", port=10250),
    Destination(name="API server by its endpoint", address="10.10.0.11", port=6443),
    Destination(name="API server by its Service", address="10.43.0.1", port=443),
)


def of_the_application(deployed: Deployed) -> tuple[Destination, ...]:
    """Return Rakazo's own services by pod address and by Service address."""
    core = client.CoreV1Api(deployed.api)
    ports = {"api": 3100, "web": 5173, "postgres": 5432}
    found = []
    for component, port in ports.items():
        pods = core.list_namespaced_pod(
            deployed.application, label_selector=f"app.kubernetes.io/component={component}"
        ).items
        service = core.read_namespaced_service(f"rakazo-{component}", deployed.application)
        found.append(Destination(name=f"{component} by pod", address=pods[0].status.pod_ip, port=port))
        found.append(Destination(name=f"{component} by Service", address=service.spec.cluster_ip, port=port))
    return tuple(found)


def pod_of(deployed: Deployed, component: str) -> str:
    """Return the name of a running pod of a component."""
    pods = client.CoreV1Api(deployed.api).list_namespaced_pod(
        deployed.application,
        label_selector=f"app.kubernetes.io/component={component}",
        field_selector="status.phase=Running",
    )
    return str(pods.items[0].metadata.name)
