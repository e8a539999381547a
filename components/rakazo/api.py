"""Rakazo's api."""

import pulumi
from pulumi_kubernetes.apps import v1 as apps

from components.kubernetes.workload import render_pod
from components.rakazo.service_args import (
    ServiceArgs,
    cluster_address,
    label_selector,
    metadata,
    on_the_node_of,
    pod_args,
)
from components.rakazo.services import API, WORKER


class Api(pulumi.ComponentResource):
    """One api, never two: the old one is gone before the new one starts, as one node mounts the volume."""

    workload: apps.Deployment

    def __init__(self, name: str, args: ServiceArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Api", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, depends_on=[*args.after, *args.secret.resources])
        # Preferred: on the first day there is no worker yet. Later the volume is on the worker's node.
        affinity = None if args.shared_storage else on_the_node_of(WORKER, args.namespace, required=False)
        self.workload = apps.Deployment(
            name,
            metadata=metadata(API, args.namespace, schema=args.schema),
            spec=apps.DeploymentSpecArgs(
                replicas=API.replicas,
                strategy=apps.DeploymentStrategyArgs(type="Recreate"),
                selector=label_selector(API, args.namespace),
                template=render_pod(API, pod_args(API, args, affinity=affinity)),
            ),
            opts=child,
        )
        cluster_address(name, API, args.namespace, child)
        self.register_outputs({})
