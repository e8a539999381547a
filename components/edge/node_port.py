"""A way in through a port of every node."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.contracts import Application, Proof
from components.kubernetes import names
from components.kubernetes.awaiting import SKIP_AWAIT


@dataclass(frozen=True, kw_only=True)
class NodePortArgs:
    """Inputs of :class:`NodePort`."""

    application: Application
    proof: Proof
    web: int
    """Port of every node at which people reach web."""
    api: int | None
    """Port of every node that opens all of api, or None; web answers `/health` with its page, api with the truth."""
    annotations: Mapping[str, str] = field(default_factory=dict)
    """What keeps the cloud from opening the ports to everybody."""


class NodePort(pulumi.ComponentResource):
    """People reach web, and health checks api where they are let in, only while the isolation is proven.

    No TLS and no limits of its own: for a laptop, for CI, or behind a proxy.
    """

    def __init__(self, name: str, args: NodePortArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:edge:NodePort", name, None, opts)
        namespace = args.application.namespace
        for component, port, node_port in (
            ("web", names.WEB_PORT, args.web),
            ("api", names.API_PORT, args.api),
        ):
            if node_port is None:
                continue
            core.Service(
                f"{name}-{component}",
                metadata=meta.ObjectMetaArgs(
                    name=f"{names.service_object(component)}-node-port",
                    namespace=args.proof.namespace,
                    labels=names.labels(namespace, component),
                    annotations={**SKIP_AWAIT, **args.annotations},
                ),
                spec=core.ServiceSpecArgs(
                    type="NodePort",
                    selector=names.selector(namespace, component),
                    ports=[core.ServicePortArgs(name=component, port=port, target_port=port, node_port=node_port)],
                ),
                opts=pulumi.ResourceOptions(parent=self, depends_on=[args.application.ready, args.proof.passed]),
            )
        self.register_outputs({})
