"""What every service's component needs from the application around it."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names
from components.kubernetes.awaiting import SKIP_AWAIT
from components.kubernetes.workload import PodArgs
from components.rakazo.service_secrets import ServiceSecret
from components.service import Service, Settings


@dataclass(frozen=True, kw_only=True)
class ServiceArgs:
    """Inputs of :class:`Postgres`, :class:`Migrate`, :class:`Api`, :class:`Worker` and :class:`Web`."""

    namespace: str
    image: str
    """By digest."""
    settings: Settings
    secret: ServiceSecret
    after: Sequence[pulumi.Resource]
    """What has to exist, run, or have run to its end before the service starts."""
    replicas: int | None = None
    """Instead of the table's number; only web may have more than one."""
    shared_storage: bool = False
    """Whether a volume can be mounted on several nodes."""
    schema: pulumi.Input[str] | None = None
    """The namespace as the migration tells it, for who is of the release that migrates.

    It is unknown while the migration is replaced, and an object cannot move to another namespace: so the engine deletes
    the workload first, and makes it anew afterwards. Old code never meets a new schema, and the gate proves it anew.
    """
    begun_from: str = ""
    """Snapshot that the cluster was begun with: who needs the database's schema starts anew with another one, since the
    database may be empty and what a snapshot says of a migration is of its time."""


def pod_labels(service: Service, namespace: str) -> dict[str, str]:
    """Labels of a service's pods, which policies and Services find them by."""
    return names.labels(namespace, service.name)


def pod_args(
    service: Service,
    args: ServiceArgs,
    *,
    affinity: core.AffinityArgs | None = None,
    topology_spread: core.TopologySpreadConstraintArgs | None = None,
    restart: str = "Always",
) -> PodArgs:
    """Return the inputs of a service's pods."""
    return PodArgs(
        image=args.image,
        labels=pod_labels(service, args.namespace),
        settings=args.settings,
        secret_holders=args.secret.holders,
        configuration=args.secret.digest.apply(lambda digest: "-".join(filter(None, (digest, args.begun_from)))),
        service_account=names.SERVICE_ACCOUNT if service.uses_kubernetes else None,
        affinity=affinity,
        topology_spread=topology_spread,
        restart=restart,
    )


def metadata(
    service: Service,
    namespace: str,
    annotations: dict[str, str] | None = None,
    *,
    schema: pulumi.Input[str] | None = None,
) -> meta.ObjectMetaArgs:
    """Name and labels of a service's workload and Service; `schema` as in :class:`ServiceArgs`."""
    return meta.ObjectMetaArgs(
        name=names.service_object(service.name),
        namespace=namespace if schema is None else schema,
        labels=pod_labels(service, namespace),
        annotations=annotations,
    )


def label_selector(service: Service, namespace: str) -> meta.LabelSelectorArgs:
    """Select a service's pods; immutable in workloads, so nothing in it ever changes."""
    return meta.LabelSelectorArgs(match_labels=names.selector(namespace, service.name))


def cluster_address(name: str, service: Service, namespace: str, opts: pulumi.ResourceOptions) -> core.Service:
    """Give a service its name and address inside the cluster, on the port that its container has."""
    if service.port is None:
        raise ValueError(f"{service.name} has no port in the table of services")
    return core.Service(
        name,
        metadata=metadata(service, namespace, SKIP_AWAIT),
        spec=core.ServiceSpecArgs(
            type="ClusterIP",
            selector=names.selector(namespace, service.name),
            ports=[core.ServicePortArgs(name=service.name, port=service.port, target_port=service.port)],
        ),
        opts=opts,
    )


def on_the_node_of(service: Service, namespace: str, *, required: bool) -> core.AffinityArgs:
    """Place pods beside those of `service`, as a volume that one node mounts demands."""
    term = core.PodAffinityTermArgs(
        label_selector=label_selector(service, namespace), topology_key="kubernetes.io/hostname"
    )
    if required:
        return core.AffinityArgs(
            pod_affinity=core.PodAffinityArgs(required_during_scheduling_ignored_during_execution=[term])
        )
    weighted = core.WeightedPodAffinityTermArgs(weight=100, pod_affinity_term=term)
    return core.AffinityArgs(
        pod_affinity=core.PodAffinityArgs(preferred_during_scheduling_ignored_during_execution=[weighted])
    )
