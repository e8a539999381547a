"""Rakazo's worker, which runs the agents."""

import pulumi
from pulumi_kubernetes.apps import v1 as apps

from components.kubernetes.workload import render_pod
from components.rakazo.service_args import ServiceArgs, label_selector, metadata, on_the_node_of, pod_args
from components.rakazo.services import API, WORKER

PROGRESS_SECONDS = WORKER.grace_seconds + 600
"""An update waits for the old worker's running jobs before the new one may start."""


class Worker(pulumi.ComponentResource):
    """One worker, never two; on api's node whenever their common volume can be on one node only."""

    workload: apps.Deployment

    def __init__(self, name: str, args: ServiceArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Worker", name, None, opts)
        affinity = None if args.shared_storage else on_the_node_of(API, args.namespace, required=True)
        waits = f"{PROGRESS_SECONDS}s"
        self.workload = apps.Deployment(
            name,
            metadata=metadata(WORKER, args.namespace, schema=args.schema),
            spec=apps.DeploymentSpecArgs(
                replicas=WORKER.replicas,
                progress_deadline_seconds=PROGRESS_SECONDS,
                strategy=apps.DeploymentStrategyArgs(type="Recreate"),
                selector=label_selector(WORKER, args.namespace),
                template=render_pod(WORKER, pod_args(WORKER, args, affinity=affinity)),
            ),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=[*args.after, *args.secret.resources],
                custom_timeouts=pulumi.CustomTimeouts(update=waits, delete=waits),
            ),
        )
        self.register_outputs({})
