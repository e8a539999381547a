"""The database."""

import pulumi
from pulumi_kubernetes.apps import v1 as apps

from components.kubernetes.workload import render_pod
from components.rakazo.service_args import ServiceArgs, cluster_address, label_selector, metadata, pod_args
from components.rakazo.services import POSTGRES


class Postgres(pulumi.ComponentResource):
    """One Postgres on a volume that it does not own; ready means that it accepts connections.

    Its password is read only while the volume is empty: a new one in the settings has to be given to the
    running database first.
    """

    workload: apps.StatefulSet

    def __init__(self, name: str, args: ServiceArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Postgres", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, depends_on=[*args.after, *args.secret.resources])
        service_name = metadata(POSTGRES, args.namespace).name
        self.workload = apps.StatefulSet(
            name,
            metadata=metadata(POSTGRES, args.namespace),
            spec=apps.StatefulSetSpecArgs(
                replicas=POSTGRES.replicas,
                service_name=service_name,
                selector=label_selector(POSTGRES, args.namespace),
                template=render_pod(POSTGRES, pod_args(POSTGRES, args)),
            ),
            opts=child,
        )
        cluster_address(name, POSTGRES, args.namespace, child)
        self.register_outputs({})
