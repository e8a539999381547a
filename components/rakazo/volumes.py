"""Volumes that outlive the pods."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.contracts import Storage
from components.kubernetes import names
from components.kubernetes.awaiting import SKIP_AWAIT


@dataclass(frozen=True, kw_only=True)
class VolumesArgs:
    """Inputs of :class:`Volumes`."""

    namespace: str
    storage: Storage
    data: str
    """Size of the workspaces and files, as a Kubernetes quantity."""
    postgres: str
    """Size of the database."""
    after: Sequence[pulumi.Resource]
    """What has to exist before anything in the namespace does: its policies."""


class Volumes(pulumi.ComponentResource):
    """One volume that api and worker share, one for Postgres.

    They are claims of their own, not templates of a StatefulSet, so that they can grow in place. Pulumi never
    deletes them: neither a replacement nor a removed component takes data along. Deleting the namespace does,
    as far as the StorageClass reclaims.
    """

    data: core.PersistentVolumeClaim
    postgres: core.PersistentVolumeClaim

    def __init__(self, name: str, args: VolumesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Volumes", name, None, opts)
        own = args.storage.storage_class
        shared, shared_class = "ReadWriteOnce", own
        if args.storage.shared:
            shared, shared_class = "ReadWriteMany", args.storage.shared_class or own

        def claim(key: str, object_name: str, size: str, mode: str, storage_class: str) -> core.PersistentVolumeClaim:
            return core.PersistentVolumeClaim(
                f"{name}-{key}",
                metadata=meta.ObjectMetaArgs(
                    name=object_name,
                    namespace=args.namespace,
                    labels=names.labels(args.namespace),
                    annotations=SKIP_AWAIT,
                ),
                spec=core.PersistentVolumeClaimSpecArgs(
                    access_modes=[mode],
                    storage_class_name=storage_class,
                    resources=core.VolumeResourceRequirementsArgs(requests={"storage": size}),
                ),
                opts=pulumi.ResourceOptions(
                    parent=self,
                    depends_on=args.after,
                    retain_on_delete=True,
                    # A claim keeps the class of the day on which it was made. Another class would be another claim,
                    # whose name the first one has for ever.
                    ignore_changes=["spec.storageClassName"],
                ),
            )

        self.data = claim("data", names.DATA_VOLUME, args.data, shared, shared_class)
        self.postgres = claim("postgres", names.POSTGRES_VOLUME, args.postgres, "ReadWriteOnce", own)
        self.register_outputs({})
