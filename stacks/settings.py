"""What one stack may say: the typed form of `Pulumi.<stack>.yaml`, without its secrets."""

from collections.abc import Iterator
from typing import Any, Self

from pydantic import model_validator

from stacks import matrix
from stacks.application import ApplicationSettings
from stacks.base import Model
from stacks.computers import Amount, ComputersSettings, computers_per_node
from stacks.edge import Edge
from stacks.images import ImagesSettings
from stacks.kubernetes_version import parse_version
from stacks.pair import Pair, refused
from stacks.proof import ProofSettings
from stacks.runtime import GvisorRuntime, KataRuntime, RuncRuntime, Runtime
from stacks.target import DigitalOceanTarget, GkeTarget, Target

_CHOICES = ("runtime", "target")
"""Sections of which only some pairs go together."""


class StackSettings(Model):
    """Everything a stack file may contain except secrets."""

    target: Target
    """Which cluster."""
    runtime: Runtime
    """What isolates computers."""
    images: ImagesSettings
    """Which release."""
    computers: ComputersSettings = ComputersSettings()
    """How large and how many computers may be."""
    application: ApplicationSettings
    """What people see, and where it lives in the cluster."""
    edge: Edge
    """The way in."""
    proof: ProofSettings = ProofSettings()
    """What has to be proven before it opens."""

    @property
    def overhead(self) -> Amount | None:
        """What the sandbox costs per computer; None when there is no sandbox."""
        match self.runtime:
            case GvisorRuntime(overhead=cost) | KataRuntime(cost=cost):
                return Amount(cpu=cost.cpu, memory=cost.memory)
            case _:
                return None

    @property
    def pair(self) -> Pair:
        """What of target and runtime depends on each other."""
        return Pair(
            target=self.target.kind,
            runtime=self.runtime.kind,
            kubernetes_version=parse_version(self.target.kubernetes_version),
            machine=getattr(self.target, "computers_machine", None),
            fewest=getattr(getattr(self.target, "computers", None), "minimum", None),
            release=getattr(self.target, "gvisor", None),
            k3s=getattr(self.target, "k3s", None),
            handler=getattr(self.runtime, "handler", None),
            shim=getattr(self.runtime, "shim", None),
            written=frozenset(self.runtime.model_fields_set),
        )

    @model_validator(mode="before")
    @classmethod
    def _the_runtime_exists_there(cls, document: Any) -> Any:
        if isinstance(document, dict):
            kinds = [each.get("kind") if isinstance(each, dict) else None for each in map(document.get, _CHOICES)]
            reason = matrix.refused_pair(*kinds)
            if reason is not None:
                raise ValueError(reason)
        return document

    @model_validator(mode="after")
    def _the_runtime_goes_with_the_target(self) -> Self:
        reasons = list(refused(self.pair))
        if reasons:
            raise ValueError("; ".join(reasons))
        return self

    @model_validator(mode="after")
    def _the_data_volume_can_be_had(self) -> Self:
        reason = isinstance(self.target, GkeTarget | DigitalOceanTarget) and self.target.refused_data_volume(
            self.application.data_volume
        )
        if reason:
            raise ValueError(reason)
        return self

    @model_validator(mode="after")
    def _a_computer_fits_a_node(self) -> Self:
        if self._fits_per_node() == 0:
            raise ValueError(
                "computers: not even one fits a node of computers.nodes, because it books its limits or its "
                "reserve plus the runtime's overhead; write a smaller computers.reserve, such as "
                'reserve: {cpu: "250m", memory: "512Mi"}, or use larger nodes'
            )
        return self

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        yield from self.target.warnings()
        yield from self.computers.warnings()
        caveat = matrix.caveat(self.runtime.kind, self.target.kind)
        if caveat:
            yield caveat
        if isinstance(self.runtime, RuncRuntime):
            yield (
                "settings.runtime is runc: computers share the kernel of their node, and a fault in that "
                "kernel gives whoever steers a computer the node. Write runtime: {kind: gvisor}."
            )
        if self.proof.gate == "report":
            yield (
                "settings.proof.gate is report: the way in opens although a claim about the isolation may not hold. "
                "Write proof: {gate: enforce}."
            )
        fit, nodes = self._fits_per_node(), self.computers.nodes
        if fit is not None and nodes is not None and fit * nodes.count < self.computers.maximum:
            yield (
                f"settings.computers.maximum is {self.computers.maximum}, but only {fit * nodes.count} fit "
                f"({fit} on each of {nodes.count} nodes): the others would wait. Set computers.reserve, "
                "lower the maximum or add nodes."
            )

    def _fits_per_node(self) -> int | None:
        """Count computers per node; None when the nodes are not known."""
        nodes = self.computers.nodes
        if nodes is None:
            return None
        booked = self.computers.booked
        if self.overhead is None:
            return computers_per_node(booked, nodes.allocatable)
        return computers_per_node(booked, nodes.allocatable, self.overhead)
