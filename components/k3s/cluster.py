"""Machines that become a cluster, in the order in which that is safe."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi

from components.k3s.administrator import Administrator, AdministratorArgs
from components.k3s.continuity import render_look
from components.k3s.delivery import node_files
from components.k3s.dismissal import Dismissal, DismissalArgs
from components.k3s.farewell import Farewell, FarewellArgs
from components.k3s.member import Machine, Member
from components.k3s.plan import Plan
from components.k3s.prepared_machine import PreparedMachine, PreparedMachineArgs
from components.k3s.running_node import RunningNode, RunningNodeArgs
from components.k3s.tokens import agent_token, pinned
from components.machines.file import File
from components.machines.login import as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely


@dataclass(frozen=True, kw_only=True)
class K3sClusterArgs:
    """Inputs of :class:`K3sCluster`."""

    members: Sequence[Member]
    """The first server begins the cluster."""
    plan: pulumi.Output[Plan]
    """Known once every member's address is."""
    token: pulumi.Output[str] = field(repr=False)
    restore_lines: pulumi.Output[str] | None = field(default=None, repr=False)
    """What the first server is told beside its tokens when it restores a snapshot."""
    context: str
    """Name of the cluster in the kubeconfig."""
    kubeconfig_serial: int
    machines_exist: bool
    """Whether all of them can be prepared before the first one is installed, so that one wrong machine stops all."""
    gone_with: pulumi.Resource | None = None
    """Made once for all machines and never anew, and deleted when all of them are; None: nothing is."""
    protected: bool = False
    """Whether none that is there may leave."""


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
    never more than one of them is away. Agents' machines are made together when all servers are ready, and k3s is
    started on one after the other.
    """

    kubeconfig: pulumi.Output[str]
    """Secret; known as soon as the first server runs."""
    nodes: Sequence[pulumi.Resource]
    """Whatever is put into the cluster depends on these."""

    def __init__(self, name: str, args: K3sClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:K3sCluster", name, None, opts)
        self._prefix, self._args = name, args
        self._child = pulumi.ResourceOptions(parent=self)
        reached = self._reach_early()
        everybody = [looked_at for _, looked_at in reached.values()]
        dismissed = self._dismiss(reached)
        early = {
            member.key: self._prepare(member, *reached[member.key], after=dismissed)
            for member in args.members
            if member.key in reached
        }

        servers: list[_Joined] = []
        own = pulumi.Output.all(args.token, args.restore_lines or "").apply(
            lambda known: f"{known[0]}\n{agent_token(known[0])}\n{known[1]}"
        )
        administrator: Administrator | None = None
        for member in (member for member in args.members if member.role == "server"):
            tokens = own if administrator is None else self._tokens("server", administrator)
            after = [*everybody, *(each.node.ready for each in servers)]
            made = early.get(member.key) or self._prepare(member, *self._reach(member, after))
            joined = self._join(member, made, tokens, after, None)
            servers.append(joined)
            administrator = administrator or self._administrator(joined)
        if administrator is None:
            raise ValueError("a cluster without a server; the settings refuse that")
        first = servers[0]
        tokens = self._tokens("node", administrator)
        after = [*everybody, *(each.node.ready for each in servers)]
        agents: list[_Joined] = []
        for member in (member for member in args.members if member.role == "agent"):
            made = early.get(member.key) or self._prepare(member, *self._reach(member, after))
            turn = [*after, *(each.node.ready for each in agents)]
            agents.append(self._join(member, made, tokens, turn, first))
        for joined in [*servers, *agents]:
            self._let_go(joined, servers)
        self.kubeconfig = administrator.kubeconfig
        self.nodes = [each.node.ready for each in [*servers, *agents]]
        self.register_outputs({})

    def _reach_early(self) -> dict[str, tuple[Machine, pulumi.Resource]]:
        first = next(member for member in self._args.members if member.role == "server")
        members = self._args.members if self._args.machines_exist else [first]
        return {member.key: self._reach(member, []) for member in members}

    def _reach(self, member: Member, after: Sequence[pulumi.Resource]) -> tuple[Machine, pulumi.Resource]:
        """Have a machine, and look at its host key and at what it is before anything is done to any of them."""
        machine = member.make(after)
        look = self._args.plan.apply(lambda plan: f"sh -c {shlex.quote(render_look(plan, plan.named(member.name)))}")
        looked_at = run_remotely(
            f"{self._prefix}-{member.key}-reach",
            RemoteCommandArgs(
                login=machine.login,
                create=look.apply(lambda text: as_root(machine.login, text)),
                identity=machine.identity,
            ),
            pulumi.ResourceOptions(parent=self, deleted_with=machine.gone_with),
        )
        return machine, looked_at

    def _dismiss(self, reached: dict[str, tuple[Machine, pulumi.Resource]]) -> Sequence[pulumi.Resource]:
        """Let nodes leave that are not members any more; whichever server holds the cluster already does it."""
        done = [looked_at for _, looked_at in reached.values()]
        for member in self._args.members:
            if member.role == "server" and member.key in reached:
                args = DismissalArgs(
                    server=reached[member.key][0],
                    names=[each.name for each in self._args.members],
                    protected=self._args.protected,
                    after=list(done),
                )
                done.append(Dismissal(f"{self._prefix}-{member.key}-dismiss", args, self._child).done)
        return done

    def _prepare(
        self,
        member: Member,
        machine: Machine,
        looked_at: pulumi.Resource,
        after: Sequence[pulumi.Resource] = (),
    ) -> tuple[Machine, PreparedMachine]:
        def files(plan: Plan) -> Sequence[File]:
            return node_files(plan, plan.named(member.name))

        prepared = PreparedMachine(
            f"{self._prefix}-{member.key}",
            PreparedMachineArgs(
                stack=self._args.plan.apply(lambda plan: plan.stack),
                node=member.name,
                machine=machine,
                files=self._args.plan.apply(files),
                after=[looked_at, *after],
            ),
            self._child,
        )
        return machine, prepared

    def _join(
        self,
        member: Member,
        made: tuple[Machine, PreparedMachine],
        tokens: pulumi.Output[str],
        after: Sequence[pulumi.Resource],
        server: _Joined | None,
    ) -> _Joined:
        machine, prepared = made
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
                gone_with=self._args.gone_with or keeper.prepared.delivered,
                after=[joined.node.ready, keeper.node.ready],
            ),
            self._child,
        )
