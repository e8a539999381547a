"""How much the computers may take, one by one and together."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.contracts import Overhead
from components.kubernetes import names, quantity


@dataclass(frozen=True, kw_only=True)
class Size:
    """Resources of one computer, as Kubernetes quantities."""

    cpu: str
    memory: str
    ephemeral_storage: str

    def as_resources(self) -> dict[str, str]:
        """Return the mapping that Kubernetes expects under `limits` and `requests`."""
        return {"cpu": self.cpu, "memory": self.memory, "ephemeral-storage": self.ephemeral_storage}


@dataclass(frozen=True, kw_only=True)
class QuotaArgs:
    """Inputs of :class:`Quota`."""

    application_namespace: str
    computers_namespace: str
    limits: Size
    """What a computer may use at most."""
    requests: Size
    """What a computer books on its node: equal to `limits`, or less for more computers per node."""
    overhead: Overhead
    maximum: int
    """Computers at one time; one that is still stopping counts."""
    after: Sequence[pulumi.Resource]


class Quota(pulumi.ComponentResource):
    """Every computer has limits, and no more than `maximum` of them exist, whoever asks for them.

    A quota alone would refuse every computer, because Rakazo writes limits only when it is told to; the
    LimitRange gives each container what it does not bring, and refuses one that brings larger limits, which
    could otherwise use up what the quota holds for all. It never lowers what a container does bring: Kubernetes
    copies written limits into the requests before the LimitRange is asked.
    """

    objects: Sequence[pulumi.Resource]
    """The quota and the limits."""

    def __init__(self, name: str, args: QuotaArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Quota", name, None, opts)
        metadata = meta.ObjectMetaArgs(
            name="computers",
            namespace=args.computers_namespace,
            labels=names.labels(args.application_namespace),
        )
        limit_range = core.LimitRange(
            name,
            metadata=metadata,
            spec=core.LimitRangeSpecArgs(
                limits=[
                    core.LimitRangeItemArgs(
                        type="Container",
                        default=args.limits.as_resources(),
                        default_request=args.requests.as_resources(),
                        max=args.limits.as_resources(),
                    )
                ]
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=args.after),
        )
        quota = core.ResourceQuota(
            name,
            metadata=metadata,
            spec=core.ResourceQuotaSpecArgs(hard=render_hard(args)),
            # Between the two, a quota without defaults would refuse every computer.
            opts=pulumi.ResourceOptions(parent=self, depends_on=[*args.after, limit_range]),
        )
        self.objects = [limit_range, quota]
        self.register_outputs({})


def render_hard(args: QuotaArgs) -> dict[str, str]:
    """Return the quota's figures: Kubernetes counts a class's overhead in requests and in limits.

    Services would put their addresses into every computer's environment and ingresses would publish a
    screen that asks for no password; Rakazo makes neither, nor claims of volumes.
    """
    hard = {
        "pods": str(args.maximum),
        "services": "0",
        "persistentvolumeclaims": "0",
        "count/ingresses.networking.k8s.io": "0",
    }
    for kind, size in (("requests", args.requests), ("limits", args.limits)):
        hard[f"{kind}.cpu"] = quantity.total_cpu(args.maximum, size.cpu, args.overhead.cpu)
        hard[f"{kind}.memory"] = quantity.total_bytes(args.maximum, size.memory, args.overhead.memory)
        hard[f"{kind}.ephemeral-storage"] = quantity.total_bytes(args.maximum, size.ephemeral_storage)
    return hard
