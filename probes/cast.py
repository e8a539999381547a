"""The pods that a verification puts on stage."""

from typing import Any

from probes.facts import Facts
from probes.pods import spec
from probes.surroundings import COMPONENT, INSTANCE
from probes.vantage import Vantage

LABEL = "rakazo-infra/verify"
"""On everything that a verification makes; its value is the run's id. Whoever finds one of a dead run removes it."""
DEADLINE_SECONDS = 1800
"""Kubernetes ends what a killed verification left behind, also if no other one follows."""

# Answers HTTP on each port of its one argument, in both families, and says so once all of them listen.
_SERVE = """
import http.server, signal, socket, sys, threading
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"here")
    def log_message(self, *arguments): pass
class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET
    def server_bind(self):
        if self.address_family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()
for port in map(int, sys.argv[1].split(",")):
    threading.Thread(target=Server(("", port), Handler).serve_forever, daemon=True).start()
print("listening", flush=True)
signal.pause()
"""
_IDLE = "import signal; print('listening', flush=True); signal.pause()"
READY = "listening"
"""What each of these pods prints when it can be used."""


def serve(*ports: int) -> list[str]:
    """Return a command that answers on these ports."""
    return ["python3", "-c", _SERVE, ",".join(map(str, ports))]


def idle() -> list[str]:
    """Return a command that does nothing until it is ended."""
    return ["python3", "-c", _IDLE]


def written_by_rakazo(name: str, image: str, runtime_class: str, command: list[str] | None = None) -> dict[str, Any]:
    """Return a pod with the fields that Rakazo writes and no others (facts/rakazo.md 7.3: the worst case)."""
    pod = spec(name, image, command, runtimeClassName=runtime_class)
    del pod["spec"]["enableServiceLinks"], pod["spec"]["terminationGracePeriodSeconds"]
    del pod["spec"]["containers"][0]["securityContext"]["runAsNonRoot"]
    pod["spec"]["containers"][0]["name"] = "computer"
    return pod


def computer(facts: Facts, name: str, run: str, command: list[str] | None = None) -> dict[str, Any]:
    """Return a pod as Rakazo writes it, with a label and a deadline."""
    pod = written_by_rakazo(name, facts.image_computer, facts.runtime_class, command)
    pod["spec"]["activeDeadlineSeconds"] = DEADLINE_SECONDS
    pod["metadata"]["labels"] = {LABEL: run}
    return pod


def ordinary(facts: Facts, name: str, run: str, command: list[str]) -> dict[str, Any]:
    """Return a pod of the cluster's ordinary runtime with the computers' image."""
    pod = spec(name, facts.image_computer, command, activeDeadlineSeconds=DEADLINE_SECONDS)
    pod["metadata"]["labels"] = {LABEL: run}
    return pod


def names_of_web(facts: Facts) -> dict[str, str]:
    """Return the labels by which the policies know web."""
    return {"app.kubernetes.io/name": "rakazo", INSTANCE: facts.application, COMPONENT: "web"}


NAMES = {
    Vantage.COMPUTER: "verify-computer",
    Vantage.NEIGHBOUR: "verify-neighbour",
    Vantage.CONTROL: "control",
    Vantage.BYSTANDER: "bystander",
    Vantage.IMPOSTOR: "impostor",
    Vantage.STRAY: "verify-stray",
}
