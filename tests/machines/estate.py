"""The world of the machines: an operator, an outside, a mirror, a metadata service and the machines themselves."""

import contextlib
import hashlib
import shutil
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console

from local import toolchain
from local.cluster import addresses as plan
from local.cluster.family import IPV4
from local.failure import LocalError
from local.log_end import log_end
from local.machines import control_groups
from local.machines.machine import Machine as Holder
from local.machines.records import read_all
from tests.machines import boot, cables, firewall, namespace, root
from tests.machines.addresses import HTTP_PORT
from tests.machines.firewall import Rule
from tests.machines.machine import Machine
from tests.machines.metadata import MetadataService
from tests.machines.mirror import Mirror
from tests.machines.namespace import Namespace
from tests.machines.registry import Registry

FIRST_INSTANCE = 4_200_001
OUTSIDE_SECONDS = 20.0


class Estate:
    """Use it as a context: everything in it ends, and its files are removed, when the context does.

    What a killed run left under the same folder is ended first. Two estates do not see each other.
    """

    mirror: Mirror
    registry: Registry
    """Offers no image before it is told to."""
    operator: Namespace
    outside: Namespace
    """The other side of the operator: the public web, the resolver and an address in every range that is not public."""

    def __init__(self, folder: Path, console: Console | None = None) -> None:
        """Prepare an estate whose files are in `folder`, which is the estate's own and is removed with it."""
        self.folder = folder
        self._console = console or Console(stderr=True)
        self.group = f"rakazo-{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
        """The control group of everything in it."""
        self._machines: dict[str, Machine] = {}
        self._firewalls: dict[str, Sequence[Rule]] = {}
        self._made = 0
        self._stack = ExitStack()
        self.operator = Namespace(Holder("operator", folder))
        self.outside = Namespace(Holder("outside", folder))

    def __enter__(self) -> Self:
        """Build what is missing, about a minute once, and start all but the machines: under a second."""
        self._root = root.ensure(self._console)
        self._tools = toolchain.ensure(self._console)
        self._tidy()
        try:
            self._start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End and remove all of it."""
        self.end()

    def _start(self) -> None:
        for place in (self.operator, self.outside):
            namespace.hold(place.holder, f"{self.group}/{place.holder.name}")
        self.operator.batch(cables.operator_lines())
        self.operator.batch(cables.outside_cable(self.outside.holder.pid, IPV4.listeners))
        self.outside.batch(cables.outside_lines(IPV4.listeners))
        self.operator.run(["sysctl", "-qw", "net.ipv4.ip_forward=1"], check=True)
        # The kernel follows connections from the first rule on that asks for it, so there is one from the beginning.
        tables = firewall.held_ports() + firewall.render({})
        self.operator.run(["nft", "-f", "-"], stdin=tables, check=True)
        self.outside.holder.spawn("outside", [sys.executable, "-m", "local.outside"])
        self.mirror = Mirror(self.operator)
        self._stack.callback(self.mirror.close)
        self.registry = Registry(self.operator, self.folder / "registry.pem")
        self._stack.callback(self.registry.close)
        metadata = MetadataService(self.operator, lambda: {each.public: each for each in self._machines.values()})
        self._stack.callback(metadata.close)
        self._wait_for_outside()

    def _wait_for_outside(self) -> None:
        deadline = time.monotonic() + OUTSIDE_SECONDS
        while True:
            with contextlib.suppress(OSError), self.operator.inside():
                socket.create_connection((plan.PUBLIC_WEB, HTTP_PORT), 1.0).close()
                return
            if time.monotonic() > deadline:
                end = log_end(self.outside.holder.log_of("outside"))
                raise LocalError(f"the outside does not answer within {OUTSIDE_SECONDS:.0f} s. Its log:\n{end}")
            time.sleep(0.05)

    def end(self) -> None:
        """End and remove all of it, however much of it runs; LocalError when a process survives."""
        for machine in self._machines.values():
            machine.stop()
        self._machines.clear()
        self.forget()
        self._tidy()

    def forget(self) -> None:
        """Close what this process holds and leave everything else running, as a process does that is killed."""
        self._stack.close()

    def _tidy(self) -> None:
        records = read_all(self.folder / "pids")
        # The holders first: the kernel then ends everything else in them.
        for record in sorted(records, key=lambda record: record.name != "machine"):
            if not record.end():
                raise LocalError(f"{record.name} of {record.machine} (pid {record.pid}) survived SIGKILL for 10 s")
        control_groups.end_processes(self.group)
        control_groups.remove(self.group)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def machines(self) -> Mapping[str, Machine]:
        """The machines by name, running or not."""
        return dict(self._machines)

    def machine(
        self,
        name: str,
        user_data: str = "",
        *,
        public: str,
        private: str | None = None,
        instance_id: str | None = None,
        public_keys: Sequence[str] = (),
        shown: Mapping[str, Path] | None = None,
    ) -> Machine:
        """Make a machine, which is off and whose disk is empty.

        `shown` maps paths in the machine to files or folders of the host, mounted read-only. LocalError: the name or
        an address is another machine's.
        """
        taken = {self.operator.holder.name, self.outside.holder.name, *self._machines}
        taken |= {address for each in self._machines.values() for address in (each.public, each.private) if address}
        for wanted in (name, public, private):
            if wanted in taken:
                raise LocalError(f"machine {name}: {wanted} is another machine's")
        self._made += 1
        machine = Machine(
            Holder(name, self.folder),
            self.operator,
            group=f"{self.group}/{name}",
            root=self._root,
            public=public,
            instance_id=instance_id or str(FIRST_INSTANCE + self._made),
            user_data=user_data,
            public_keys=public_keys,
            shown={boot.TOOLS: self._tools, **(shown or {})},
        )
        if private is not None:
            machine.attach_private(private)
        self._machines[name] = machine
        return machine

    def remove(self, machine: Machine) -> None:
        """Cut the machine's power and forget it with its disk and its firewall; its name and addresses are free."""
        machine.wipe()
        self._machines.pop(machine.name, None)
        self.firewall(machine, None)

    def firewall(self, machine: Machine, rules: Sequence[Rule] | None) -> None:
        """Let through what the rules say and nothing else; None takes the firewall away.

        An empty list is a firewall that nothing gets in through. It holds at once, for running machines and for ones
        that are started later; connections that were let through stay.
        """
        link = cables.public_end(machine.public)
        if rules is None:
            self._firewalls.pop(link, None)
        else:
            self._firewalls[link] = tuple(rules)
        self.operator.run(["nft", "-f", "-"], stdin=firewall.render(self._firewalls), check=True)
