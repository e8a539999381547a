"""What Rakazo may do with the Kubernetes API."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

from components.kubernetes import names

COMPUTERS_ROLE = "rakazo-computers"


def username(application_namespace: str) -> str:
    """Return the name under which the API server knows api and worker."""
    return f"system:serviceaccount:{application_namespace}:{names.SERVICE_ACCOUNT}"


@dataclass(frozen=True, kw_only=True)
class PermissionsArgs:
    """Inputs of :class:`Permissions`."""

    application_namespace: str
    computers_namespace: str
    after: Sequence[pulumi.Resource]
    """What has to exist before anything in the namespaces does: their policies."""


class Permissions(pulumi.ComponentResource):
    """Api and worker make, reach and delete pods among the computers; nobody else may do anything.

    No account mounts a token on its own: only a pod that asks for it gets one, and that is api and worker.
    """

    service_account: core.ServiceAccount
    objects: Sequence[pulumi.Resource]
    """The role and its binding."""

    def __init__(self, name: str, args: PermissionsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Permissions", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, depends_on=args.after)
        self.service_account = core.ServiceAccount(
            name,
            metadata=meta.ObjectMetaArgs(
                name=names.SERVICE_ACCOUNT,
                namespace=args.application_namespace,
                labels=names.labels(args.application_namespace),
            ),
            automount_service_account_token=False,
            opts=child,
        )
        role = grant_computers(name, args, child)
        binding = rbac.RoleBinding(
            f"{name}-computers",
            metadata=_metadata(args),
            role_ref=rbac.RoleRefArgs(api_group="rbac.authorization.k8s.io", kind="Role", name=COMPUTERS_ROLE),
            subjects=[
                rbac.SubjectArgs(
                    kind="ServiceAccount", name=names.SERVICE_ACCOUNT, namespace=args.application_namespace
                )
            ],
            opts=pulumi.ResourceOptions(parent=self, depends_on=[*args.after, role, self.service_account]),
        )
        self.objects = [role, binding]
        for key, namespace in (
            ("application", args.application_namespace),
            ("computers", args.computers_namespace),
        ):
            _withhold_default_token(f"{name}-default-{key}", namespace, child)
        self.register_outputs({"service_account": names.SERVICE_ACCOUNT})


def grant_computers(name: str, args: PermissionsArgs, opts: pulumi.ResourceOptions) -> rbac.Role:
    """Grant exactly the verbs that Rakazo documents; exec needs both, as clients upgrade by GET or POST."""
    return rbac.Role(
        f"{name}-computers",
        metadata=_metadata(args),
        rules=[
            rbac.PolicyRuleArgs(api_groups=[""], resources=["pods"], verbs=["create", "get", "delete"]),
            rbac.PolicyRuleArgs(api_groups=[""], resources=["pods/exec"], verbs=["create", "get"]),
        ],
        opts=opts,
    )


def _metadata(args: PermissionsArgs) -> meta.ObjectMetaArgs:
    return meta.ObjectMetaArgs(
        name=COMPUTERS_ROLE,
        namespace=args.computers_namespace,
        labels=names.labels(args.application_namespace),
    )


def _withhold_default_token(name: str, namespace: str, opts: pulumi.ResourceOptions) -> None:
    """Patch `default`, which a controller makes some time after the namespace.

    A server-side apply also creates what it does not find, and the controller then leaves it alone: no
    order of the two fails. Force, because the field belongs to nobody else worth keeping.
    """
    core.ServiceAccountPatch(
        name,
        metadata=meta.ObjectMetaPatchArgs(
            name="default", namespace=namespace, annotations={"pulumi.com/patchForce": "true"}
        ),
        automount_service_account_token=False,
        opts=opts,
    )
