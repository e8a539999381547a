"""Everything that keeps computers in, and the rest of the world out, before the first pod exists."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi

from components.contracts import Cluster, Sandbox
from components.rakazo import permissions
from components.rakazo.admission import Admission, AdmissionArgs
from components.rakazo.namespaces import Namespaces, NamespacesArgs
from components.rakazo.network_policies import NetworkPolicies, NetworkPoliciesArgs
from components.rakazo.permissions import Permissions, PermissionsArgs
from components.rakazo.quota import Quota, QuotaArgs, Size
from components.rakazo.startup_wait import StartupWait, StartupWaitArgs
from stacks.application import ApplicationSettings
from stacks.computers import ComputersSettings


@dataclass(frozen=True, kw_only=True)
class GuardsArgs:
    """Inputs of :class:`Guards`."""

    cluster: Cluster
    sandbox: Sandbox
    application: ApplicationSettings
    computers: ComputersSettings
    computer_image: str
    """By digest: the only image that computers may run."""


class Guards(pulumi.ComponentResource):
    """Two closed namespaces, and the only shape that a computer can have in one of them."""

    fence: Sequence[pulumi.Resource]
    """What every object in either namespace depends on: the namespaces and their policies."""
    around_computers: Sequence[pulumi.Resource]
    """What must exist before somebody can create a computer."""
    objects: Sequence[pulumi.Resource]
    """Everything whose change can open what is closed."""

    def __init__(self, name: str, args: GuardsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Guards", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        application, computers = args.application.namespace, args.application.computers_namespace
        limits, requests = sizes(args.computers)

        namespaces = Namespaces(
            f"{name}-namespaces",
            NamespacesArgs(
                application=application,
                computers=computers,
                kubernetes_version=args.cluster.kubernetes_version,
            ),
            child,
        )
        policies = NetworkPolicies(
            f"{name}-network",
            NetworkPoliciesArgs(
                application_namespace=application,
                computers_namespace=computers,
                network=args.cluster.network,
                dns=args.cluster.dns,
                last_display_port=args.computers.last_screen_port,
                after=[namespaces],
            ),
            child,
        )
        self.fence = [namespaces, policies]
        allowed = Permissions(
            f"{name}-permissions",
            PermissionsArgs(application_namespace=application, computers_namespace=computers, after=self.fence),
            child,
        )
        quota = Quota(
            f"{name}-quota",
            QuotaArgs(
                application_namespace=application,
                computers_namespace=computers,
                limits=limits,
                requests=requests,
                overhead=args.sandbox.overhead,
                maximum=args.computers.maximum,
                after=self.fence,
            ),
            child,
        )
        wait = StartupWait(
            f"{name}-startup-wait",
            StartupWaitArgs(
                application_namespace=application,
                computers_namespace=computers,
                limits=limits,
                requests=requests,
                mutates_admission=args.cluster.mutates_admission,
            ),
            child,
        )
        admission = Admission(
            f"{name}-admission",
            AdmissionArgs(
                application_namespace=application,
                computers_namespace=computers,
                sandbox=args.sandbox,
                computer_image=args.computer_image,
                creators=[permissions.username(application)],
                first_init_container=wait.container,
            ),
            child,
        )
        self.around_computers = [args.sandbox.ready, allowed, quota, wait, admission]
        self.objects = [
            args.sandbox.ready,
            *policies.objects,
            *allowed.objects,
            *quota.objects,
            *wait.objects,
            *admission.objects,
        ]
        self.register_outputs({})


def sizes(computers: ComputersSettings) -> tuple[Size, Size]:
    """Limits and requests of one computer."""
    booked = computers.booked
    return (
        Size(cpu=computers.cpu, memory=computers.memory, ephemeral_storage=computers.ephemeral_storage),
        Size(cpu=booked.cpu, memory=booked.memory, ephemeral_storage=booked.ephemeral_storage),
    )
