"""The gate between a running application on a machine with Docker and its way in."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pulumi

from components.machines.login import Login, as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely
from components.proof.gate import ClosedError, Mode
from components.proof.verdict import Verdict, judge, unchecked
from probes.docker.facts import DockerFacts
from probes.docker.machine import Machine, Way, way_to
from probes.docker.verification import verify_docker
from probes.prober import ProbeError

RECORD = "/var/lib/rakazo-infra/proven"
"""On the machine: what was proven last, for whoever looks there. It opens nothing by itself."""


@dataclass(frozen=True, kw_only=True)
class DockerGateArgs:
    """Inputs of :class:`DockerGate`."""

    login: Login
    facts: pulumi.Output[DockerFacts]
    isolation: pulumi.Input[str]
    """Changes whenever something does on which isolation depends."""
    after: Sequence[pulumi.Resource]
    """What has to run before anybody looks."""
    mode: Mode
    """`report` lets the way in open whatever is found."""
    identity: pulumi.Input[str] | None = None
    """Changes when another machine takes its place."""
    gone_with: pulumi.Resource | None = None
    """Takes the record with it when it is deleted."""


class DockerGate(pulumi.ComponentResource):
    """Looks from inside the containers before the way in opens, and again when something changes that isolation needs.

    Its record is never changed, only replaced, and what is behind the gate takes its proof from that record: the
    engine removes the way in first, then proves, and makes both anew only when every claim holds. A failure leaves the
    application running and closed, and the next `pulumi up` goes on from there.
    """

    passed: pulumi.Resource
    proof: pulumi.Output[str]
    """Known once the isolation is proven, and another one each time."""

    def __init__(self, name: str, args: DockerGateArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:proof:DockerGate", name, None, opts)
        hook = pulumi.ResourceHook(f"{name}-prove", _prover(args))
        mark = pulumi.Output.all(args.facts, args.isolation).apply(lambda known: _mark(known[0], known[1], args.mode))
        record = mark.apply(lambda text: as_root(args.login, f"sh -c 'umask 022; echo {text} >{RECORD}'"))
        passed = run_remotely(
            name,
            RemoteCommandArgs(
                login=args.login,
                create=record,
                delete=as_root(args.login, f"rm -f {RECORD}"),
                identity=args.identity,
                proof=mark,
            ),
            pulumi.ResourceOptions(
                parent=self,
                depends_on=list(args.after),
                delete_before_replace=True,
                deleted_with=args.gone_with,
                hooks=pulumi.ResourceHookBinding(before_create=[hook], before_update=[hook]),
            ),
        )
        self.passed = passed
        self.proof = passed.id
        self.register_outputs({})


def _mark(facts: DockerFacts, isolation: str, mode: Mode) -> str:
    """Return a short name for everything that the proof is about."""
    told = f"{facts.model_dump_json()}\0{isolation}\0{mode}"
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _prover(args: DockerGateArgs) -> Callable[[pulumi.ResourceHookArgs], Awaitable[None]]:
    """Return the hook. The look takes a minute and blocks, so it has a thread of its own."""

    async def prove(_hook: pulumi.ResourceHookArgs) -> None:
        loop = asyncio.get_running_loop()

        def tell(line: str) -> None:
            loop.call_soon_threadsafe(partial(pulumi.log.info, line, ephemeral=True))

        known = await args.facts.future()
        if known is None:
            raise ClosedError(unchecked("the way to the machine is not known").text)
        # Resolved here and nowhere else: as an input of the resource the key would be in its state once more.
        key = await args.login.private_key.future() if args.login.private_key is not None else None
        verdict = await asyncio.to_thread(look, way_to(known, key), known, tell)
        if verdict.holds:
            pulumi.log.info(verdict.text)
        elif args.mode == "enforce":
            raise ClosedError(verdict.text)
        else:
            pulumi.log.warn(f"settings.proof.gate is report, so the way in opens all the same. {verdict.text}")

    return prove


def look(route: Way, facts: DockerFacts, tell: Callable[[str], None]) -> Verdict:
    """Verify the stack; whatever keeps that from happening is a verdict too."""
    try:
        with Machine(route) as machine:
            return judge(verify_docker(machine, facts, tell=tell))
    except (ProbeError, OSError, ValueError, LookupError) as error:
        return unchecked(str(error))
