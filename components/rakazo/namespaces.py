"""The two namespaces of a Rakazo: one for itself, one for the computers of its agents."""

from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names


@dataclass(frozen=True, kw_only=True)
class NamespacesArgs:
    """Inputs of :class:`Namespaces`."""

    application: str
    computers: str
    kubernetes_version: tuple[int, int]
    """(major, minor): the release whose Pod Security rules apply, so that an upgrade does not change them."""


class Namespaces(pulumi.ComponentResource):
    """Both namespaces, with Pod Security enforced at the strictest level that the pods in them pass.

    Rakazo's own pods pass `restricted`. A computer's pod does everything `restricted` asks for except that
    it may leave `runAsNonRoot` unwritten, and Rakazo has no setting for that: `baseline` is enforced and
    `restricted` warned about and audited.
    """

    application: core.Namespace
    computers: core.Namespace

    def __init__(self, name: str, args: NamespacesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Namespaces", name, None, opts)
        self.application = core.Namespace(
            f"{name}-application",
            metadata=meta.ObjectMetaArgs(
                name=args.application,
                labels={
                    **names.labels(args.application),
                    **pod_security_labels("restricted", args.kubernetes_version),
                },
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.computers = core.Namespace(
            f"{name}-computers",
            metadata=meta.ObjectMetaArgs(
                name=args.computers,
                labels={
                    **names.labels(args.application),
                    **pod_security_labels("baseline", args.kubernetes_version),
                },
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({"application": args.application, "computers": args.computers})


def pod_security_labels(enforced: str, kubernetes_version: tuple[int, int]) -> dict[str, str]:
    """Labels that enforce one Pod Security level and report what `restricted` would refuse."""
    major, minor = kubernetes_version
    levels = {"enforce": enforced, "warn": "restricted", "audit": "restricted"}
    prefix = "pod-security.kubernetes.io"
    return {f"{prefix}/{mode}": level for mode, level in levels.items()} | {
        f"{prefix}/{mode}-version": f"v{major}.{minor}" for mode in levels
    }
