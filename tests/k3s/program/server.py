"""`k3s server`: a control plane, its store and a node in one."""

import asyncio
import threading
from collections.abc import Mapping
from functools import partial
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any

from tests.k3s.program import addons, bootstrap, control_plane, etcd, images, membership, node_registry, notification
from tests.k3s.program.agent import controller_api
from tests.k3s.program.children import Children
from tests.k3s.program.configuration import Values
from tests.k3s.program.etcd import Etcd, Member
from tests.k3s.program.gate import Gate
from tests.k3s.program.http_client import Answer
from tests.k3s.program.join_token import SERVER_USER, Token
from tests.k3s.program.kube import Kube
from tests.k3s.program.node_programs import Node
from tests.k3s.program.node_run import NodeRun, address_of
from tests.k3s.program.paths import write
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.release import built_in
from tests.k3s.program.reset import FLAG, reset
from tests.k3s.program.runtime import Runtime
from tests.k3s.program.server_files import API_PORT, LOCAL_API, ServerFiles, serving_names
from tests.k3s.program.server_token import ServerToken
from tests.k3s.program.settings import node_settings, server_settings
from tests.k3s.program.supervisor_api import State, SupervisorApi
from tests.k3s.program.supervisor_client import Supervisor, join_address, node_password, save
from tests.k3s.program.waiting import persist, until

STORE_SECONDS = 120.0
API_SECONDS = 180.0
API_URL = f"https://{LOCAL_API}:{API_PORT}"


class Server:
    """One start of a server."""

    def __init__(self, values: Values, children: Children) -> None:
        """Read the configuration; Refusal names what is wrong in it."""
        self._children = children
        self._node = node_settings(values)
        self._settings = server_settings(values)
        self._layout = self._node.layout
        self._files = ServerFiles(self._layout)
        self._address = address_of(self._node)
        self._joins = bool(self._node.server_url) and not membership.has_data(self._layout)
        self._embedded = self._settings.cluster_init or self._joins or membership.has_data(self._layout)
        if self._embedded and (self._layout.alone / "member").is_dir():
            raise Refusal("cluster-init: the stand-in for k3s cannot turn a store without members into embedded etcd")

    async def serve(self) -> None:
        """Start everything, say when the node is Ready, and go on for ever."""
        token = ServerToken(self._layout, self._node.token, self._settings.agent_token)
        supervisor = self._first_server(token.wanted) if self._joins else None
        if supervisor is not None and not self._files.exists:
            await self._take_over(supervisor)
        self._files.make(self._settings.secrets_provider)
        token.settle(self._files.server_ca)
        advertised = self._advertised()
        self._files.issue(self._serving(advertised), self._node.name)
        runtime = Runtime(self._node, built_in(), self._children)
        state = State(self._files, self._settings, token.current, lambda new: self._rotate(token, new))
        gate = Gate(self._layout, self._files, SupervisorApi(state))
        await gate.listen("0.0.0.0")  # noqa: S104 - inside a machine of the tests

        state.store = await self._start_store(supervisor)
        state.has_members = self._embedded
        await asyncio.to_thread(bootstrap.keep, state.store, self._files.bundle(), token.current.password)
        state.api = await self._start_control_plane(advertised)
        kubeconfig = self._files.kubeconfig(f"https://127.0.0.1:{API_PORT}", self._files.client(*ADMIN))
        write(self._settings.kubeconfig, kubeconfig, self._settings.kubeconfig_mode)
        await self._start_node(runtime, state.store, state.api)
        self._layout.etcd.with_name(FLAG).unlink(missing_ok=True)
        notification.tell("READY=1\nSTATUS=the node is ready")
        await asyncio.Event().wait()

    def _first_server(self, token: Token | None) -> Supervisor:
        if token is None:
            raise Refusal("token: is required to join a cluster: say `token-file: /etc/rancher/k3s/token`")
        return Supervisor(join_address(self._node.server_url), token, SERVER_USER, self._children)

    async def _take_over(self, supervisor: Supervisor) -> None:
        told = await supervisor.ask("GET", "/v1-k3s/config")
        for name, theirs in told["identical"].items():
            ours = self._settings.identical[name]
            if ours != theirs:
                shown = "" if "token" in name else f" ({name}: {ours!r} here, {theirs!r} there)"
                raise Refusal(
                    "failed to validate server configuration: critical configuration value mismatch between servers: "
                    f"{name}{shown}"
                )
        self._files.unpack(await supervisor.ask("GET", "/v1-k3s/server-bootstrap"))

    def _advertised(self) -> str:
        return self._settings.advertised or next(iter(self._node.external_addresses), self._address)

    def _serving(self, advertised: str) -> list[str]:
        first = str(IPv4Network(self._settings.cluster.services)[1])
        own = [first, self._address, advertised, *self._node.external_addresses, self._node.name]
        names = [*serving_names(self._settings.cluster.domain), *own, *self._settings.alternative_names]
        return list(dict.fromkeys(names))

    def _rotate(self, token: ServerToken, new: Token) -> None:
        bootstrap.rotate(Etcd(self._layout), self._files.bundle(), token.current.password, new.password)
        token.replace(new, self._files.server_ca)

    async def _start_store(self, supervisor: Supervisor | None) -> Etcd:
        layout, arguments = self._layout, self._settings.arguments["etcd"]
        if not self._embedded:
            await self._children.start("etcd", etcd.alone(layout, arguments))
        else:
            others = await self._others(supervisor) if supervisor is not None else []
            name = membership.member_name(layout, self._node.name)
            command = etcd.command(layout, name, self._address, others, arguments, joins=bool(others))
            await self._children.start("etcd", command)
            if others:
                look = membership.promote
                await until("etcd", STORE_SECONDS, lambda: look(layout, self._address, others), self._children)
        store = Etcd(layout)
        await until("etcd", STORE_SECONDS, store.unhealthy, self._children)
        return store

    async def _others(self, supervisor: Supervisor) -> list[Member]:
        """Become a member and return the others; one server after the other learns."""
        others: list[Member] = []

        async def members() -> list[Member]:
            return [Member(**entry) for entry in await supervisor.ask("GET", "/db/info")]

        def enter(known: list[Member]) -> str | None:
            try:
                others[:] = membership.enter(self._layout, self._node.name, self._address, known)
            except (Answer, OSError) as error:
                return str(error)
            return None

        for _ in range(round(STORE_SECONDS)):
            known = await members()
            reason = await asyncio.to_thread(enter, known)
            if reason is None:
                return others
            await asyncio.sleep(1.0)
        raise Refusal(f"cannot join etcd after {STORE_SECONDS:.0f} s: {reason}")

    async def _start_control_plane(self, advertised: str) -> Kube:
        layout, settings = self._layout, self._settings
        await self._children.start("kube-apiserver", control_plane.apiserver(layout, settings, advertised))
        api = Kube(API_URL, layout.tls / "server-ca.crt", layout.tls / "client-supervisor")
        await until("the API", API_SECONDS, api.unready, self._children)
        for manifest in addons.permissions():
            await persist(f"applying {manifest['kind']}", partial(api.apply, manifest), self._children)
        managers = (control_plane.controller_manager, control_plane.scheduler)
        for command in (manager(layout, settings, elects=self._embedded) for manager in managers):
            await self._children.start(Path(command[0]).name, command)
        return api

    async def _start_node(self, runtime: Runtime, store: Etcd, api: Kube) -> None:
        layout = self._layout
        addons.lay_out(self._settings, images.found(layout.images), layout.manifests)
        threading.Thread(target=addons.Addons(api, layout.manifests).keep, name="addons", daemon=True).start()
        name, addresses = self._node.name, [self._address, *self._node.external_addresses]
        password = node_password()
        await persist("the node's password", lambda: node_registry.admit(api, name, password), self._children)
        save(node_registry.credentials(self._files, name, addresses, API_URL), layout.agent)

        def changed(_: str, node: Mapping[str, Any]) -> None:
            if self._embedded:
                membership.farewell(store, api, name, node)

        node = Node(settings=self._node, cluster=self._settings.cluster, address=self._address)
        controller = controller_api(self._node, API_URL)
        run = NodeRun(node, built_in(), controller, self._children)
        await run.start(runtime, self._settings.node_ports, changed)
        marks = {"metadata": self._marks()}
        await persist("the node's labels", lambda: api.patch(f"/api/v1/nodes/{name}", marks), self._children)

    def _marks(self) -> dict[str, Any]:
        roles = {"node-role.kubernetes.io/control-plane": "true"}
        if not self._embedded:
            return {"labels": roles}
        notes = membership.notes(self._layout, self._node.name, self._address)
        roles["node-role.kubernetes.io/etcd"] = "true"
        return {"labels": roles, "annotations": notes, "finalizers": [membership.FINALIZER]}


ADMIN = ("system:admin", "system:masters")


async def serve(values: Values, children: Children) -> None:
    """Be a server for ever, or reset one and end; Refusal when it cannot be."""
    if values.get("cluster-reset", False):
        await reset(values, children)
    else:
        await Server(values, children).serve()
