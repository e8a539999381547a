"""Bringing a cluster up: from nothing, from what a killed run left, or from one dead process."""

import dataclasses
import datetime as dt
import socket
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from local.cluster import addresses, credentials, family, images, network, plan, readiness, store
from local.cluster.api import Api
from local.cluster.folder import ClusterFolder, Facts
from local.cluster.layout import PLAIN, Layout
from local.cluster.listening import listen
from local.cluster.manifests import documents
from local.cluster.node_programs import SOCKET, VOLUMES
from local.cluster.plan import Plan, Program
from local.cluster.status import is_alive
from local.cluster.stop import tidy
from local.host import require_host
from local.images import ensure as ensure_images
from local.images.archive import ImageArchive
from local.machines import control_groups, packages
from local.machines.machine import SYSTEM_PATH
from local.toolchain import path_entries

MEMBERS = "machine"


class Start:
    """One run of `up` on a locked cluster."""

    def __init__(self, folder: ClusterFolder, wanted: Plan, pictures: Mapping[str, ImageArchive], say: Console) -> None:
        """Prepare to bring `folder`'s cluster to what `wanted` says."""
        self._folder = folder
        self._plan = wanted
        self._dual_stack = family.IPV6 in wanted.families
        self._images = pictures
        self._console = say
        self._began = time.monotonic()
        self._since = dt.datetime.now(dt.UTC).replace(microsecond=0)
        self._machines = {name: folder.machine(name) for name in wanted.machines()}

    def _say(self, text: str) -> None:
        self._console.print(f"[dim]{time.monotonic() - self._began:5.1f} s[/dim]  {text}", highlight=False)

    def run(self) -> Facts:
        """Start what does not run and wait until the cluster is of use; nothing is touched when all runs."""
        before = self._folder.facts()
        fingerprint = self._plan.fingerprint()
        if before is None:
            tidy(self._folder)
            self._folder.remember()
        elif before.fingerprint != fingerprint:
            self._say("programs or configuration have changed: starting the machines anew")
            self._end_machines()
        dead = self._dead_programs()
        references = {name: image.reference for name, image in sorted(self._images.items())}
        if before is not None and not dead and before.images == references:
            return before
        sockets = self._sockets(before)
        ports = {name: link.getsockname()[1] for name, link in sockets.items()}
        if before is not None:
            ports = {"api": before.api_port, "door": before.door_port} | ports
        facts = Facts(
            name=self._folder.name,
            id=self._folder.id,
            api_port=ports["api"],
            door_port=ports["door"],
            fingerprint=fingerprint,
            images=references,
            addresses=plan.facts(self._plan.families),
            dual_stack=self._dual_stack,
        )
        try:
            self._converge(facts, dead, list(sockets.values()))
        finally:
            for link in sockets.values():
                link.close()
        self._folder.save(facts)
        return facts

    def _end_machines(self) -> None:
        for machine in self._machines.values():
            machine.end()

    def _dead_programs(self) -> list[Program]:
        return [program for program in self._plan.programs() if not is_alive(self._folder, program)]

    def _sockets(self, before: Facts | None) -> dict[str, socket.socket]:
        """Make the entrance's sockets on the host unless it runs; the ports are those of the last time if possible."""
        if all(program.name != plan.ENTRANCE for program in self._dead_programs()):
            return {}
        ports = {"api": before.api_port, "door": before.door_port} if before else {"api": 0, "door": 0}
        return {name: listen(port) for name, port in ports.items()}

    def _converge(self, facts: Facts, dead: list[Program], sockets: list[socket.socket]) -> None:
        with ThreadPoolExecutor(max_workers=8) as pool:
            self._write_credentials(facts)
            fresh = [name for name, machine in self._machines.items() if not machine.alive]
            for program in dead:
                if program.machine not in fresh:
                    self._say(f"{program.name} on {program.machine} does not run: starting it again")
            list(pool.map(self._start_machine, fresh))
            self._connect(fresh)

            def start(stage: int) -> list[Future[None]]:
                return [pool.submit(self._spawn, program, sockets) for program in dead if program.stage == stage]

            _finish(start(plan.AT_ONCE))
            essential = [pool.submit(self._bring_first, node.name) for node in addresses.NODES]
            api = readiness.wait_for_api(self._folder.kubeconfig, self._machines[addresses.SYSTEM.name])
            self._say("the API answers")
            for manifest in documents("permissions.yaml", {}):
                api.apply(manifest)
            agents = start(plan.WITH_API)
            self._apply(api)
            _finish([*agents, *essential])
            self._wait_for_registration(api)
            for node in addresses.NODES:
                readiness.wait_for_services(self._machines[node.name])
            _finish(start(plan.WITH_NODES))
            rest = [pool.submit(self._bring_later, node.name) for node in addresses.NODES]
            self._wait(api)
            _finish(rest)
            self._say("images are on the nodes")

    def _write_credentials(self, facts: Facts) -> None:
        config = self._folder.kubeconfig
        if not config.exists():
            context = f"rakazo-{self._folder.name}"
            credentials.write(
                self._folder.machines, self._plan.families, admin=config, context=context, api_port=facts.api_port
            )
        credentials.point(config, facts.api_port)

    def _start_machine(self, name: str) -> None:
        group = f"{self._folder.group}/{name}"
        control_groups.remove(group)
        # A leaf of its own: on version 2 a group that hands controllers down may hold no process.
        control_groups.make(f"{group}/{MEMBERS}")
        blueprint = dataclasses.replace(
            self._plan.blueprint(name), membership=str(control_groups.membership_file(f"{group}/{MEMBERS}"))
        )
        if name != addresses.OUTSIDE:
            shared = store.ensure(self._images, self._console)
            blueprint = store.plant(shared, self._machines[name], blueprint)
        self._machines[name].start(blueprint)

    def _connect(self, fresh: list[str]) -> None:
        outside = self._machines[addresses.OUTSIDE]
        if addresses.OUTSIDE in fresh:
            network.prepare_outside(outside, self._plan.families)
        for node in addresses.NODES:
            network.connect(outside, node, self._machines[node.name], self._plan.families)
        if fresh:
            self._say(f"machines run: {', '.join(fresh)}")

    def _spawn(self, program: Program, sockets: Sequence[socket.socket]) -> None:
        command = list(program.command)
        inherited = [link.fileno() for link in sockets] if program.name == plan.ENTRANCE else []
        command += [str(descriptor) for descriptor in inherited]
        folders = (program.first_on_path, str(self._plan.programs_folder), SYSTEM_PATH)
        path = ":".join(folder for folder in folders if folder)
        self._machines[program.machine].spawn(program.name, command, sockets=inherited, path=path)

    def _bring_first(self, node: str) -> None:
        readiness.wait_for_file(self._machines[node], SOCKET, "containerd")
        images.bring(self._machines[node], images.FIRST[node], self._images)

    def _bring_later(self, node: str) -> None:
        images.bring(self._machines[node], images.LATER[node], self._images)

    def _apply(self, api: Api) -> None:
        values = {
            "domain": addresses.DOMAIN,
            "forward": addresses.PUBLIC_DNS,
            "dns_service": addresses.DNS_SERVICE,
            "volumes": VOLUMES,
            **{name.replace("-", "_"): image.reference for name, image in self._images.items()},
        }
        for manifest in (*documents("coredns.yaml", values), *documents("storage.yaml", values)):
            api.apply(manifest)

    def _wait_for_registration(self, api: Api) -> None:
        logs = {name: machine.log_of("kubelet") for name, machine in self._machines.items()}
        readiness.wait_for(
            "the nodes' registration", readiness.NODES_SECONDS, lambda: readiness.unregistered(api), logs
        )
        for node in addresses.NODES:
            api.set_pod_ranges(node.name, [each.node_pods[node.name] for each in self._plan.families])

    def _wait(self, api: Api) -> None:
        nodes = {node.name: self._machines[node.name] for node in addresses.NODES}
        readiness.wait_for_nodes(api, self._since, nodes)
        self._say("both nodes are Ready")
        readiness.wait_for_dns(nodes[addresses.SYSTEM.name], self._machines[addresses.OUTSIDE])
        self._say("the cluster's DNS answers for a Service and a public name")


def _finish(tasks: Iterable[Future[None]]) -> None:
    """Wait for all tasks; raise the first one's failure."""
    for task in tasks:
        task.result()


def up(
    name: str,
    console: Console,
    *,
    dual_stack: bool = False,
    layout: Layout = PLAIN,
    programs: Path | None = None,
    pictures: Mapping[str, ImageArchive] | None = None,
) -> Facts:
    """Bring the cluster up or repair it, and return its facts; from nothing this takes about 20 s on 2 cores.

    `dual_stack` gives a new cluster IPv6 beside IPv4; one that exists keeps what it has. `layout` makes the nodes look
    like a cloud's; a cluster with another one is started anew. `programs` and `pictures` replace the built programs and
    images. LocalError says what failed, with the last lines of the log that explains it.
    """
    require_host()
    packages.ensure(console)
    folder = ClusterFolder(name)
    built = programs or path_entries()[0]
    found = pictures if pictures is not None else ensure_images(console, images.wanted())
    with folder.locked():
        before = folder.facts()
        chosen = family.kept_or_chosen(name, has=before.dual_stack if before else None, wants=dual_stack)
        wanted = Plan(
            programs_folder=built,
            group=folder.group,
            pause=found["pause"].reference,
            families=chosen,
            layout=layout,
        )
        return Start(folder, wanted, found, console).run()
