"""Machines that become a cluster, in the order in which that is safe."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi

from components.k3s.administrator import Administrator, AdministratorArgs
from components.k3s.delivery import node_files
from components.k3s.farewell import Farewell, FarewellArgs
from components.k3s.member import Machine, Member
from components.k3s.plan import Plan
from components.k3s.prepared_machine import PreparedMachine, PreparedMachineArgs
from components.k3s.running_node import RunningNode, RunningNodeArgs
from components.k3s.tokens import agent_token, pinned
from components.machines.file import File


@dataclass(frozen=True, kw_only=True)
class K3sClusterArgs:
    """Inputs of :class:`K3sCluster`."""

    members: Sequence[Member]
    """The first server begins the cluster."""
    plan: pulumi.Output[Plan]
    """Known once every member's address is."""
    token: pulumi.Output[str] = field(repr=False)
    context: str
    """Name of the cluster in the kubeconfig."""
    kubeconfig_serial: int
    machines_exist: bool
    """Whether all of them can be prepared before the first one is installed, so that one wrong machine stops all."""


@dataclass(frozen=True, kw_only=True)
class _Joined:
    """A member, as far as the ones after it have to know."""

    member: Member
    machine: Machine
    prepared: PreparedMachine
    node: RunningNode


class K3sCluster(pulumi.ComponentResource):
    """Every machine is a ready node.

    Servers come one after the other, each when the one before is ready, also when they are changed or made anew: so
    never more than one of them is away. Agents come after the servers, all at once.
    """

    kubeconfig: pulumi.Output[str]
    """Secret; known as soon as the first server runs."""
    nodes: Sequence[pulumi.Resource]
    """Whatever is put into the cluster depends on these."""

    def __init__(self, name: str, args: K3sClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:K3sCluster", name, None, opts)
        self._prefix, self._args = name, args
        self._child = pulumi.ResourceOptions(parent=self)
        early = self._prepare_early() if args.machines_exist else {}
        everybody = [prepared.reached for _, prepared in early.values()]

        servers: list[_Joined] = []
        own = args.token.apply(lambda token: f"{token}\n{agent_token(token)}\n")
        administrator: Administrator | None = None
        for member in (member for member in args.members if member.role == "server"):
            tokens = own if administrator is None else self._tokens("server", administrator)
            after = [*everybody, *(each.node.ready for each in servers)]
            joined = self._join(member, early, tokens, after, None)
            servers.append(joined)
            administrator = administrator or self._administrator(joined)
        if administrator is None:
            raise ValueError("a cluster without a server; the settings refuse that")
        first = servers[0]
        tokens = self._tokens("node", administrator)
        after = [*everybody, *(each.node.ready for each in servers)]
        agents = [self._join(member, early, tokens, after, first) for member in args.members if member.role == "agent"]
        for joined in [*servers, *agents]:
            self._let_go(joined, servers)
        self.kubeconfig = administrator.kubeconfig
        self.nodes = [each.node.ready for each in [*servers, *agents]]
        self.register_outputs({})

    def _prepare_early(self) -> dict[str, tuple[Machine, PreparedMachine]]:
        return {member.key: self._prepare(member, []) for member in self._args.members}

    def _prepare(self, member: Member, after: Sequence[pulumi.Resource]) -> tuple[Machine, PreparedMachine]:
        machine = member.make(after)

        def files(plan: Plan) -> Sequence[File]:
            (node,) = (node for node in plan.nodes if node.name == member.name)
            return node_files(plan, node)

        prepared = PreparedMachine(
            f"{self._prefix}-{member.key}",
            PreparedMachineArgs(machine=machine, files=self._args.plan.apply(files)),
            self._child,
        )
        return machine, prepared

    def _join(
        self,
        member: Member,
        early: dict[str, tuple[Machine, PreparedMachine]],
        tokens: pulumi.Output[str],
        after: Sequence[pulumi.Resource],
        server: _Joined | None,
    ) -> _Joined:
        machine, prepared = early.get(member.key) or self._prepare(member, after)
        node = RunningNode(
            f"{self._prefix}-{member.key}-node",
            RunningNodeArgs(
                member=member,
                machine=machine,
                prepared=prepared,
                tokens=tokens,
                server=machine.login if server is None else server.machine.login,
                after=after,
            ),
            self._child,
        )
        return _Joined(member=member, machine=machine, prepared=prepared, node=node)

    def _administrator(self, first: _Joined) -> Administrator:
        return Administrator(
            f"{self._prefix}-administrator",
            AdministratorArgs(
                login=first.machine.login,
                address=first.member.address,
                context=self._args.context,
                serial=self._args.kubeconfig_serial,
                identity=first.machine.identity,
                after=first.node.ready,
                gone_with=first.machine.gone_with,
            ),
            self._child,
        )

    def _tokens(self, user: str, administrator: Administrator) -> pulumi.Output[str]:
        """Return what joiners are told: a token that is good for the right servers only."""

        def lines(known: list[str]) -> str:
            token, authority = known
            if user == "server":
                return f"{pinned(token, authority, user)}\n{agent_token(token)}\n"
            return f"{pinned(agent_token(token), authority, user)}\n"

        return pulumi.Output.all(self._args.token, administrator.authority).apply(lines)

    def _let_go(self, joined: _Joined, servers: Sequence[_Joined]) -> None:
        """Declare the way out of the cluster for whoever leaves somebody behind."""
        keeper = next((each for each in servers if each.member.key != joined.member.key), None)
        if keeper is None:
            return
        Farewell(
            f"{self._prefix}-{joined.member.key}-farewell",
            FarewellArgs(
                node=joined.member.name,
                identity=joined.machine.identity,
                keeper=keeper.machine.login,
                keeper_gone_with=keeper.machine.gone_with or keeper.prepared.delivered,
                after=[joined.node.ready, keeper.node.ready],
            ),
            self._child,
        )
