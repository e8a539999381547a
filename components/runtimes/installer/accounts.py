"""Who the two pods are in the cluster, and the one thing that each may do there."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

from components.kubernetes import names as kubernetes_names
from components.runtimes.installer import names
from components.runtimes.own_node import OwnNodeAlone, OwnNodeAloneArgs

RBAC = "rbac.authorization.k8s.io"


@dataclass(frozen=True, kw_only=True)
class AccountsArgs:
    """Inputs of :class:`Accounts`."""

    application_namespace: str
    after: Sequence[pulumi.Resource]
    """The namespace and its policies."""


class Accounts(pulumi.ComponentResource):
    """The installer may look at its own daemon set, the prover may patch nodes: within what its policy leaves of that.

    Neither holds both a node's files and a right over nodes.
    """

    def __init__(self, name: str, args: AccountsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:runtimes:Accounts", name, None, opts)
        space = names.namespace(args.application_namespace)
        labels = kubernetes_names.labels(args.application_namespace)
        wide = names.cluster_wide(args.application_namespace, names.PROVER)
        here = pulumi.ResourceOptions(parent=self, depends_on=args.after)
        installer, prover = (
            core.ServiceAccount(
                f"{name}-{role}",
                metadata=meta.ObjectMetaArgs(name=role, namespace=space, labels=labels),
                automount_service_account_token=False,
                opts=here,
            )
            for role in (names.INSTALLER, names.PROVER)
        )
        look = rbac.Role(
            f"{name}-{names.INSTALLER}",
            metadata=meta.ObjectMetaArgs(name=names.INSTALLER, namespace=space, labels=labels),
            rules=[
                rbac.PolicyRuleArgs(
                    api_groups=["apps"], resources=["daemonsets"], resource_names=[names.INSTALLER], verbs=["get"]
                )
            ],
            opts=here,
        )
        looks = rbac.RoleBinding(
            f"{name}-{names.INSTALLER}",
            metadata=meta.ObjectMetaArgs(name=names.INSTALLER, namespace=space, labels=labels),
            role_ref=rbac.RoleRefArgs(api_group=RBAC, kind="Role", name=names.INSTALLER),
            subjects=[rbac.SubjectArgs(kind="ServiceAccount", name=names.INSTALLER, namespace=space)],
            opts=pulumi.ResourceOptions(parent=self, depends_on=[installer, look]),
        )
        # Before the right, so that there is no moment in which it holds for every node.
        limited = OwnNodeAlone(
            f"{name}-own-node",
            OwnNodeAloneArgs(
                application_namespace=args.application_namespace,
                role=names.PROVER,
                who="a prover",
                label=names.LABEL,
                user=f"system:serviceaccount:{space}:{names.PROVER}",
            ),
            pulumi.ResourceOptions(parent=self),
        )
        patch = rbac.ClusterRole(
            f"{name}-{names.PROVER}",
            metadata=meta.ObjectMetaArgs(name=wide, labels=labels),
            rules=[rbac.PolicyRuleArgs(api_groups=[""], resources=["nodes"], verbs=["patch"])],
            opts=pulumi.ResourceOptions(parent=self, depends_on=[limited]),
        )
        patches = rbac.ClusterRoleBinding(
            f"{name}-{names.PROVER}",
            metadata=meta.ObjectMetaArgs(name=wide, labels=labels),
            role_ref=rbac.RoleRefArgs(api_group=RBAC, kind="ClusterRole", name=wide),
            subjects=[rbac.SubjectArgs(kind="ServiceAccount", name=names.PROVER, namespace=space)],
            opts=pulumi.ResourceOptions(parent=self, depends_on=[prover, patch]),
        )
        self.ready: list[pulumi.Resource] = [looks, patches]
        self.register_outputs({})
