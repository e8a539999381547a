"""A running verification of a machine with Docker: its containers, whose eyes the claims look through."""

import contextlib
import dataclasses
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

from probes.cast import LABEL, READY, idle, serve
from probes.claims.destinations import other_ports, screen_ports
from probes.docker import cast
from probes.docker.cast import Limits
from probes.docker.containers import BRIDGE, ContainerError, Containers
from probes.docker.facts import DockerFacts
from probes.docker.surroundings import Around, addresses_of
from probes.prober import ProbeError, Ran
from probes.vantage import DOCKER_SERVICES, SERVED_PORT, Vantage

START_SECONDS = 60.0
STRANGERS = f"{cast.NAME}-strangers"
OTHERS = f"{cast.NAME}-others"
"""The network of computers that come and go during a verification; each network takes a range of the stack's pool."""
NAMES = {
    Vantage.COMPUTER: f"{cast.NAME}-computer",
    Vantage.NEIGHBOUR: f"{cast.NAME}-neighbour",
    Vantage.STRANGER: f"{cast.NAME}-stranger",
    Vantage.LISTENER: f"{cast.NAME}-listener",
}

Outside = Callable[[Sequence[str], float], Ran]
"""Runs a command on another machine than the one that is looked at, for so many seconds at most."""


class DockerScene:
    """Every container of a verification; made inside a :class:`probes.docker.stage.Stage`, which also removes it."""

    def __init__(
        self,
        containers: Containers,
        facts: DockerFacts,
        around: Around,
        run: str,
        *,
        documents: Mapping[str, str] = MappingProxyType({}),
        outside: Outside | None = None,
    ) -> None:
        """Nothing is made before :meth:`start`."""
        self.containers = containers
        self.facts = facts
        self.around = around
        self.run_id = run
        self.documents = documents
        """Texts, by name, in which no secret of the stack may be found."""
        self._outside = outside or here
        self.closing = threading.Event()
        """Set once the verification was interrupted: nothing new is made from then on."""
        self.missing: dict[Vantage, str] = {}
        """Vantages that are not there, and why."""

    def start(self) -> None:
        """Start the cast and wait until each can be used; who cannot is in `missing` with the reason."""
        for service in DOCKER_SERVICES:
            if str(service) not in self.around.names:
                self.missing[service] = f"no container of {service} runs"
        self._make_network(STRANGERS, cast.STRANGERS_BRIDGE)
        self._make_network(OTHERS, cast.bridge(0, self.run_id))
        with ThreadPoolExecutor(len(NAMES)) as pool:
            started = dict(zip(NAMES, pool.map(self._start, NAMES), strict=True))
        found = self.containers.inspect(*(NAMES[vantage] for vantage, yes in started.items() if yes))
        by_name = {each["Name"].removeprefix("/"): each for each in found}
        addresses = {vantage: addresses_of(by_name[NAMES[vantage]]) for vantage, yes in started.items() if yes}
        self.around = dataclasses.replace(self.around, cast=addresses, gateways=self._gateways())

    def execute(self, vantage: Vantage, command: list[str], seconds: int = 60) -> Ran:
        """Run a command where the vantage is; ProbeError with the reason when it is missing."""
        if vantage in self.missing:
            raise ProbeError(f"{vantage}: {self.missing[vantage]}")
        if vantage is Vantage.OUTSIDE:
            return self._outside(command, seconds)
        if vantage is Vantage.MACHINE:
            did = self.containers.machine.run(command, seconds=seconds)
            # Of a success nothing that was said beside it: sudo complains of a machine without a name, for example.
            return Ran(exit_code=did.exit_code, output=did.output + (did.errors if did.exit_code else ""))
        name = self.around.names[str(vantage)] if vantage in DOCKER_SERVICES else NAMES[vantage]
        return self.containers.execute(name, command, seconds)

    def unwitnessed(self) -> frozenset[str]:
        """Return nothing: every claim about the services has a control that looks at the same time."""
        return frozenset()

    @contextlib.contextmanager
    def room(self) -> Iterator[None]:
        """Make sure that nothing new is made once the verification was interrupted; Docker itself counts nobody."""
        if self.closing.is_set():
            raise ProbeError("the verification was interrupted")
        yield

    @contextlib.contextmanager
    def computer(self, name: str, command: Sequence[str], own: Limits | None = None) -> Iterator[str]:
        """Make one more computer, yield its container's name at once, and remove it."""
        full = f"{cast.NAME}-{name}"
        options = cast.as_computer(own or cast.limits(self.facts), OTHERS, self.run_id)
        with self.room():
            try:
                self._run(full, options, command)
                yield full
            finally:
                self.containers.remove(full)

    @contextlib.contextmanager
    def stranger(self, name: str, command: Sequence[str]) -> Iterator[str]:
        """Make one more container that no rule knows, with the computers' image, and remove it."""
        full = f"{cast.NAME}-{name}"
        with self.room():
            try:
                self._run(full, cast.as_stranger(STRANGERS, self.run_id), command)
                yield full
            finally:
                self.containers.remove(full)

    def _run(self, name: str, options: Sequence[str], command: Sequence[str]) -> None:
        # The image may have an entry point of its own, which a pod's command would replace as well.
        first, *rest = cast.ending(command)
        image = self.facts.image_computer
        self.containers.run(name, "--entrypoint", first, *options, image=image, command=rest)

    def _make_network(self, name: str, bridge: str) -> None:
        labels = ("--label", f"{LABEL}={self.run_id}")
        self.containers.docker("network", "create", "--opt", f"{BRIDGE}={bridge}", *labels, name)

    def _start(self, vantage: Vantage) -> bool:
        name, network, run = NAMES[vantage], STRANGERS, self.run_id
        try:
            match vantage:
                case Vantage.COMPUTER | Vantage.NEIGHBOUR:
                    network = name
                    self._make_network(network, cast.bridge(1 + list(NAMES).index(vantage), run))
                    options = cast.as_computer(cast.limits(self.facts), network, run)
                case _:
                    options = cast.as_stranger(network, run)
            self._run(name, options, self._command(vantage))
            self.containers.wait_for(name, READY, START_SECONDS)
        except ContainerError as error:
            self.missing[vantage] = str(error)
            return False
        return True

    def _command(self, vantage: Vantage) -> list[str]:
        match vantage:
            case Vantage.COMPUTER:
                return idle()
            case Vantage.NEIGHBOUR:
                return serve(*screen_ports(self.facts), *other_ports(self.facts))
            case _:
                return serve(SERVED_PORT)

    def _gateways(self) -> tuple[str, ...]:
        found = self.containers.inspect(NAMES[Vantage.COMPUTER], kind="network")
        told = [each.get("Gateway") or "" for network in found for each in network["IPAM"]["Config"]]
        return tuple(each.partition("/")[0] for each in told if each)  # Docker adds `/64` to some of IPv6


def here(command: Sequence[str], seconds: float) -> Ran:
    """Run a program of Python where the verification itself runs."""
    line = [sys.executable, *command[1:]] if command[0] == "python3" else list(command)
    try:
        done = subprocess.run(
            line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ProbeError(f"{command[0]} did not end here within {seconds:.0f} s") from error
    return Ran(exit_code=done.returncode, output=done.stdout)
