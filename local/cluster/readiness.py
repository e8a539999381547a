"""Waiting until something is really there, with a deadline and the log that explains why it is not."""

import datetime as dt
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from dnslib import RCODE, DNSError, DNSRecord

from local.cluster import addresses
from local.cluster.api import Api
from local.failure import LocalError
from local.log_end import log_end
from local.machines.machine import Machine

POLL_SECONDS = 0.1
API_SECONDS = 60.0
NODES_SECONDS = 90.0
DNS_SECONDS = 90.0
SOCKET_SECONDS = 30.0
QUERY_SECONDS = 1.0
API_SERVICE = "default/kubernetes:https cluster IP"
"""What kube-proxy writes beside its way to the API's Service, which every cluster has."""


def wait_for(what: str, seconds: float, check: Callable[[], str | None], logs: Mapping[str, Path]) -> None:
    """Poll until `check` returns None; after `seconds` raise LocalError with its last answer and the logs' ends."""
    deadline = time.monotonic() + seconds
    while (answer := check()) is not None:
        if time.monotonic() > deadline:
            ends = "\n".join(f"--- {name}: {path}\n{log_end(path)}" for name, path in logs.items())
            raise LocalError(f"{what} is not ready after {seconds:.0f} s: {answer}\n{ends}")
        time.sleep(POLL_SECONDS)


def wait_for_api(kubeconfig: Path, system: Machine) -> Api:
    """Wait until the API says that it is ready, and return it."""
    api = Api(kubeconfig)

    def check() -> str | None:
        try:
            status, text = api.call("GET", "/readyz")
        except OSError as error:
            return str(error)
        return None if text == "ok" else f"{status} {text.strip()[-300:]}"

    names = ("kube-apiserver", "etcd", "entrance")
    wait_for("the cluster's API", API_SECONDS, check, {name: system.log_of(name) for name in names})
    return api


def wait_for_file(machine: Machine, path: str, program: str) -> None:
    """Wait until a program has made its socket."""
    place = Path(f"/proc/{machine.pid}/root{path}")
    wait_for(
        f"{program} on {machine.name}",
        SOCKET_SECONDS,
        lambda: None if place.is_socket() else f"no socket at {path}",
        {program: machine.log_of(program)},
    )


def unregistered(api: Api) -> str | None:
    """Return which node the API does not know with an address; None when it knows both."""
    items = api.get("/api/v1/nodes")["items"]
    known = {node["metadata"]["name"] for node in items if node["status"].get("addresses")}
    missing = [node.name for node in addresses.NODES if node.name not in known]
    return f"{' and '.join(missing)} unknown to the API" if missing else None


def unready_nodes(api: Api, since: dt.datetime) -> list[str]:
    """Return what is wrong with each node; a state that was reported before `since` is of the past."""
    nodes = {node["metadata"]["name"]: node for node in api.get("/api/v1/nodes")["items"]}
    complaints = []
    for node in addresses.NODES:
        if node.name not in nodes:
            complaints.append(f"{node.name} has not registered")
            continue
        conditions = nodes[node.name]["status"].get("conditions", [])
        ready = next((condition for condition in conditions if condition["type"] == "Ready"), None)
        if ready is None:
            complaints.append(f"{node.name} has not reported")
        elif ready["status"] != "True":
            complaints.append(f"{node.name}: {ready['message']}")
        elif dt.datetime.fromisoformat(ready["lastHeartbeatTime"]) < since:
            complaints.append(f"{node.name} has not reported since its start")
    return complaints


def wait_for_nodes(api: Api, since: dt.datetime, machines: Mapping[str, Machine]) -> None:
    """Wait until both nodes are Ready."""
    logs = {f"kubelet on {name}": machine.log_of("kubelet") for name, machine in machines.items()}
    wait_for("the nodes", NODES_SECONDS, lambda: "; ".join(unready_nodes(api, since)) or None, logs)


def wait_for_services(machine: Machine) -> None:
    """Wait until kube-proxy has made the ways to Services.

    What enforces policies writes a whole table back as it read it. Begun beside kube-proxy's first writing, it loses
    chains of it, and kube-proxy then leaves its node without any way to a Service, for good.
    """

    def check() -> str | None:
        written = machine.run(["iptables-save", "--table", "nat"])
        return None if API_SERVICE in written else f"no way to {API_SERVICE}"

    logs = {"kube-proxy": machine.log_of("kube-proxy")}
    wait_for(f"kube-proxy on {machine.name}", NODES_SECONDS, check, logs)


def ask(machine: Machine, server: str, name: str) -> str | None:
    """Ask a DNS server from inside a machine for an address; None when it answers with one, else what is wrong."""
    try:
        with machine.datagram_socket() as link:
            link.settimeout(QUERY_SECONDS)
            link.sendto(DNSRecord.question(name).pack(), (server, 53))
            answer = DNSRecord.parse(link.recv(4096))
    except (OSError, DNSError) as error:
        return f"{name}: {error}"
    return None if answer.rr else f"{name}: {RCODE[answer.header.rcode]}"


def unanswered_names(machine: Machine) -> list[str]:
    """Return what is wrong with the cluster's DNS: it must know a Service and, through the outside, a public name."""
    names = (f"kubernetes.default.svc.{addresses.DOMAIN}", addresses.PUBLIC_NAME)
    return [answer for name in names if (answer := ask(machine, addresses.DNS_SERVICE, name)) is not None]


def wait_for_dns(system: Machine, outside: Machine) -> None:
    """Wait until the cluster's DNS answers for a Service and for a public name."""
    logs = {
        "kubelet on system": system.log_of("kubelet"),
        "kube-proxy on system": system.log_of("kube-proxy"),
        "outside": outside.log_of("outside"),
    }
    wait_for("the cluster's DNS", DNS_SECONDS, lambda: "; ".join(unanswered_names(system)) or None, logs)
