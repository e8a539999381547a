"""A running verification: its pods, whose eyes the claims look through."""

import contextlib
import dataclasses
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes import cast
from probes.account import Computers, rakazo_client
from probes.claims.destinations import other_ports, screen_ports
from probes.facts import Facts
from probes.pods import PodError, Pods, said
from probes.prober import Ran
from probes.surroundings import Surroundings, ready_pods
from probes.vantage import SERVED_PORT, SERVICES, Vantage

START_SECONDS = 120.0
SERVICE = "control"
CAST = 2
"""Computers of the cast: the one that looks, and its neighbour. They keep their places until the end."""


class Scene:
    """Every pod of a verification; made inside a :class:`probes.stage.Stage`, which also removes it."""

    def __init__(
        self,
        operator: client.ApiClient,
        facts: Facts,
        around: Surroundings,
        run: str,
        documents: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Nothing is made before :meth:`start`."""
        self.operator = operator
        self.facts = facts
        self.around = around
        self.run_id = run
        self.documents = documents
        """Texts, by name, in which no secret of the stack may be found."""
        self.closing = threading.Event()
        """Set once the verification was interrupted: no new pod is made from then on."""
        self.missing: dict[Vantage, str] = {}
        """Vantages that did not start, and why."""
        self._rakazo = rakazo_client(operator, facts)
        self._free = facts.maximum - self._living_computers()
        self._room = threading.BoundedSemaphore(max(1, self._free - CAST))

    @property
    def rakazo(self) -> client.ApiClient:
        """A client with the rights of api and worker and no others."""
        return client.ApiClient(self._rakazo.configuration)

    @property
    def computers(self) -> Computers:
        """The computers' namespace with Rakazo's rights."""
        return Computers(self.rakazo, self.operator, self.facts.computers)

    def pods(self, namespace: str) -> Pods:
        """The pods of a namespace with the operator's rights."""
        return Pods(self.operator, namespace)

    def start(self) -> None:
        """Start the cast and wait until each can be used; who cannot is in `missing` with the reason.

        PodError when the quota has no place for even one computer.
        """
        if self._free < 1:
            raise PodError(self._full())
        vantages = [Vantage.COMPUTER, Vantage.CONTROL, Vantage.BYSTANDER, Vantage.IMPOSTOR, Vantage.STRAY]
        if self._free >= CAST:
            vantages.append(Vantage.NEIGHBOUR)
        else:
            self.missing[Vantage.NEIGHBOUR] = self._full()
        for service in SERVICES:
            if str(service) not in self.around.names:
                self.missing[service] = f"no pod of {service} is ready in {self.facts.application}"
        self._serve_control()
        self._let_the_stray_out()
        with ThreadPoolExecutor(len(vantages)) as pool:
            started = dict(zip(vantages, pool.map(self._start, vantages), strict=True))
        addresses = {vantage: self._addresses(vantage) for vantage, yes in started.items() if yes}
        service = client.CoreV1Api(self.operator).read_namespaced_service(SERVICE, self.facts.probes_namespace)
        self.around = dataclasses.replace(
            self.around,
            cast=addresses,
            cast_service=tuple(service.spec.cluster_ips or [service.spec.cluster_ip]),
        )

    def execute(self, vantage: Vantage, command: list[str], seconds: int = 60) -> Ran:
        """Run a command where the vantage is; PodError with the reason when it is missing."""
        if vantage in self.missing:
            raise PodError(f"{vantage}: {self.missing[vantage]}")
        if vantage in SERVICES:
            return self.pods(self.facts.application).execute(self.around.names[str(vantage)], command, seconds)
        return self._home(vantage).execute(cast.NAMES[vantage], command, seconds)

    def unwitnessed(self) -> frozenset[str]:
        """Return addresses of services that are not what they were when the verification began, or were not ready."""
        before, now = self.around, ready_pods(self.operator, self.facts)
        names = [each.name for each in self.facts.application_services]
        changed = [name for name in names if name not in before.names or before.names[name] != now.get(name)]
        return frozenset(
            address for name in changed for found in (before.pods, before.services) for address in found.get(name, ())
        )

    @contextlib.contextmanager
    def room(self) -> Iterator[None]:
        """Hold one place of the quota: a full one refuses even a dry run, and also a computer of the application's.

        PodError when the cast has taken the last one.
        """
        if self._free <= CAST:
            raise PodError(self._full())
        with self._room:
            if self.closing.is_set():
                raise PodError("the verification was interrupted")
            yield

    @contextlib.contextmanager
    def computer(self, name: str, command: list[str] | None = None, **limits: str) -> Iterator[client.V1Pod]:
        """Make one more computer, yield it once it runs, and remove it; waits for room in the quota.

        `limits` are the container's own, smaller than the stack's. It books next to nothing, since Kubernetes would
        copy them, and a stack may have a quota for computers that book less.
        """
        pod = self.new_computer(name, command)
        if limits:
            named = {key.replace("_", "-"): value for key, value in limits.items()}
            least = {key: "10m" if key == "cpu" else "16Mi" for key in named}
            pod["spec"]["containers"][0]["resources"] = {"limits": named, "requests": least}
        with self.room():
            try:
                _create(self.computers, pod)
                yield self.computers.wait_running(name, START_SECONDS)
            finally:
                self.computers.delete(name)

    def new_computer(self, name: str, command: list[str] | None = None) -> dict[str, Any]:
        """Return a pod as Rakazo would make it."""
        return cast.computer(self.facts, name, self.run_id, command)

    def _home(self, vantage: Vantage) -> Pods:
        if vantage in (Vantage.COMPUTER, Vantage.NEIGHBOUR):
            return self.computers
        return self.pods(self.facts.application if vantage is Vantage.STRAY else self.facts.probes_namespace)

    def _pod(self, vantage: Vantage) -> dict[str, Any]:
        facts, name, run = self.facts, cast.NAMES[vantage], self.run_id
        match vantage:
            case Vantage.COMPUTER:
                return cast.computer(facts, name, run, cast.idle())
            case Vantage.NEIGHBOUR:
                return cast.computer(facts, name, run, cast.serve(*screen_ports(facts), *other_ports(facts)))
            case Vantage.CONTROL:
                return cast.computer(facts, name, run, cast.serve(SERVED_PORT))
            case Vantage.BYSTANDER:
                return cast.ordinary(facts, name, run, cast.serve(SERVED_PORT))
        pod = cast.ordinary(facts, name, run, cast.idle())
        if vantage is Vantage.IMPOSTOR:
            pod["metadata"]["labels"] |= cast.names_of_web(facts)
        return pod

    def _start(self, vantage: Vantage) -> bool:
        home, pod = self._home(vantage), self._pod(vantage)
        if vantage is Vantage.CONTROL:
            pod["metadata"]["labels"] |= {SERVICE: "yes"}
        name = cast.NAMES[vantage]
        try:
            _create(home, pod)
            home.wait_running(name, START_SECONDS)
            self._wait_for_word(home, name)
        except (PodError, ApiException) as error:
            self.missing[vantage] = said(error)
            return False
        return True

    def _serve_control(self) -> None:
        service = {
            "metadata": {"name": SERVICE, "labels": {cast.LABEL: self.run_id}},
            "spec": {
                "selector": {SERVICE: "yes"},
                "ports": [{"port": SERVED_PORT, "protocol": "TCP"}],
                "ipFamilyPolicy": "PreferDualStack",
            },
        }
        client.CoreV1Api(self.operator).create_namespaced_service(self.facts.probes_namespace, service)

    def _let_the_stray_out(self) -> None:
        """Lift what holds the stray pod itself back, so that only the policy of whom it tries to reach is tried."""
        policy = {
            "metadata": {"name": cast.NAMES[Vantage.STRAY], "labels": {cast.LABEL: self.run_id}},
            "spec": {
                "podSelector": {"matchLabels": {cast.LABEL: self.run_id}},
                "policyTypes": ["Egress"],
                "egress": [{}],
            },
        }
        client.NetworkingV1Api(self.operator).create_namespaced_network_policy(self.facts.application, policy)

    @staticmethod
    def _wait_for_word(home: Pods, name: str, seconds: float = 30.0) -> None:
        deadline = time.monotonic() + seconds
        while cast.READY not in home.log(name):
            if time.monotonic() > deadline:
                raise PodError(f"{name} runs and does not listen after {seconds:.0f} s: {home.log(name)[-500:]}")
            time.sleep(0.2)

    def _addresses(self, vantage: Vantage) -> tuple[str, ...]:
        pod = client.CoreV1Api(self.operator).read_namespaced_pod(cast.NAMES[vantage], self._home(vantage).namespace)
        return tuple(each.ip for each in pod.status.pod_ips)

    def _living_computers(self) -> int:
        pods = client.CoreV1Api(self.operator).list_namespaced_pod(self.facts.computers).items
        return len([pod for pod in pods if pod.status.phase not in ("Succeeded", "Failed")])

    def _full(self) -> str:
        facts = self.facts
        return (
            f"{facts.maximum - self._free} of the {facts.maximum} computers of computers.maximum exist, and a "
            f"verification needs room for {CAST + 1}: stop one in Rakazo or, as the way in may be closed, with "
            f"`kubectl -n {facts.computers} delete pod NAME`, or raise computers.maximum"
        )


PASSING = ("serviceaccount", "exceeded quota", "object has been modified")
"""What keeps a pod away for a moment only: a new namespace has no account yet, a quota still counts a deleted pod, or
counts several new ones at once."""


def _create(home: Pods, pod: dict[str, Any], seconds: float = 20.0) -> None:
    """Create a pod, waiting for what passes; ApiException with the refusal that does not."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            home.create(pod)
        except ApiException as error:
            if time.monotonic() > deadline or not any(words in said(error) for words in PASSING):
                raise
            time.sleep(0.1)
        else:
            return
