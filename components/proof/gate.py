"""The gate between a running application and its way in."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import pulumi
from kubernetes.client.exceptions import ApiException
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from urllib3.exceptions import HTTPError

from components.contracts import Access, Application, Proof
from components.kubernetes import names
from components.proof.verdict import Verdict, judge, unchecked
from probes.access import AccessError, connect
from probes.facts import Facts
from probes.pods import PodError, said
from probes.stage import StageError
from probes.verification import verify

Mode = Literal["enforce", "report"]
OBJECT = "rakazo-isolation"


class ClosedError(Exception):
    """The isolation is not proven; the message names each claim, its cause and its remedy."""


@dataclass(frozen=True, kw_only=True)
class GateArgs:
    """Inputs of :class:`Gate`."""

    access: Access
    application: Application
    facts: pulumi.Output[Facts]
    runtime: str
    """Changes with the release of what isolates computers, where the stack installs it."""
    mode: Mode
    """`report` lets the way in open whatever is found."""


class Gate(pulumi.ComponentResource):
    """Looks from inside the pods before the way in opens, and again when something changes that isolation needs.

    Its object in the cluster cannot be changed, only replaced. What is behind the gate takes its namespace from that
    object, so the engine removes the way in first, then proves, and makes both anew only when every claim holds. A
    failure leaves the application running and closed, and the next `pulumi up` goes on from there.
    """

    proof: Proof

    def __init__(self, name: str, args: GateArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:proof:Gate", name, None, opts)
        namespace = args.application.namespace
        hook = pulumi.ResourceHook(f"{name}-prove", _prover(args.access, args.facts, args.mode))
        passed = core.ConfigMap(
            name,
            metadata=meta.ObjectMetaArgs(name=OBJECT, namespace=namespace, labels=names.labels(namespace)),
            immutable=True,
            data={
                "gate": args.mode,
                "facts": args.facts.apply(lambda facts: facts.model_dump_json()),
                "isolation": args.application.isolation,
                "runtime": args.runtime,
            },
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=[args.application.ready],
                delete_before_replace=True,
                hooks=pulumi.ResourceHookBinding(before_create=[hook], before_update=[hook]),
            ),
        )
        self.proof = Proof(namespace=passed.metadata.apply(lambda found: str(found.namespace)), passed=passed)
        self.register_outputs({})


def _prover(
    access: Access, facts: pulumi.Output[Facts], mode: Mode
) -> Callable[[pulumi.ResourceHookArgs], Awaitable[None]]:
    """Return the hook. The look takes a minute and blocks, so it has a thread of its own."""

    async def prove(_hook: pulumi.ResourceHookArgs) -> None:
        loop = asyncio.get_running_loop()

        def tell(line: str) -> None:
            loop.call_soon_threadsafe(partial(pulumi.log.info, line, ephemeral=True))

        # Resolved here and nowhere else: as an input of the resource the kubeconfig would be in its state.
        kubeconfig = await pulumi.Output.from_input(access.kubeconfig).future()
        known = await facts.future()
        if not kubeconfig or known is None:
            raise ClosedError(unchecked("the way to the cluster is not known").text)
        verdict = await asyncio.to_thread(look, kubeconfig, access.context, known, tell)
        if verdict.holds:
            pulumi.log.info(verdict.text)
        elif mode == "enforce":
            raise ClosedError(verdict.text)
        else:
            pulumi.log.warn(f"settings.proof.gate is report, so the way in opens all the same. {verdict.text}")

    return prove


def look(kubeconfig: str, context: str, facts: Facts, tell: Callable[[str], None]) -> Verdict:
    """Verify the stack; whatever keeps that from happening is a verdict too."""
    try:
        return judge(verify(connect(kubeconfig, context), facts, tell=tell))
    except (AccessError, StageError, PodError, ApiException, HTTPError, OSError) as error:
        return unchecked(said(error))
