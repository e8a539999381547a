"""Rakazo's web, which serves the page and the screens of computers."""

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.policy import v1 as policy

from components.kubernetes.workload import render_pod
from components.rakazo.service_args import ServiceArgs, cluster_address, label_selector, metadata, pod_args
from components.rakazo.services import WEB


class Web(pulumi.ComponentResource):
    """Two webs or more, of which a changed setting or a drained node always leaves one; another release ends them."""

    workload: apps.Deployment

    def __init__(self, name: str, args: ServiceArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Web", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, depends_on=[*args.after, *args.secret.resources])
        spread = core.TopologySpreadConstraintArgs(
            max_skew=1,
            topology_key="kubernetes.io/hostname",
            when_unsatisfiable="ScheduleAnyway",  # one node is enough to run Rakazo
            label_selector=label_selector(WEB, args.namespace),
        )
        self.workload = apps.Deployment(
            name,
            metadata=metadata(WEB, args.namespace, schema=args.schema),
            spec=apps.DeploymentSpecArgs(
                replicas=args.replicas or WEB.replicas,
                strategy=apps.DeploymentStrategyArgs(
                    type="RollingUpdate",
                    rolling_update=apps.RollingUpdateDeploymentArgs(max_surge=1, max_unavailable=0),
                ),
                selector=label_selector(WEB, args.namespace),
                template=render_pod(WEB, pod_args(WEB, args, topology_spread=spread)),
            ),
            opts=child,
        )
        cluster_address(name, WEB, args.namespace, child)
        policy.PodDisruptionBudget(
            name,
            metadata=metadata(WEB, args.namespace),
            spec=policy.PodDisruptionBudgetSpecArgs(min_available=1, selector=label_selector(WEB, args.namespace)),
            opts=child,
        )
        self.register_outputs({})
