"""Volumes: disks for the database, and where it is asked for a file system that every node mounts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.storage import v1 as storage

from components.contracts import Storage
from components.kubernetes.names import MANAGED_BY
from components.targets.eks.names import named

DEFAULT = "storageclass.kubernetes.io/is-default-class"
LABELS = {MANAGED_BY: "rakazo-infra"}


@dataclass(frozen=True, kw_only=True)
class DisksArgs:
    """Inputs of :class:`Disks`."""

    protect: bool
    kubernetes: kubernetes.Provider
    after: Sequence[pulumi.Resource]
    """The driver."""


class Disks(pulumi.ComponentResource):
    """The class of encrypted disks. EKS itself has none that works; this is also what a claim without a class gets."""

    storage_class: str

    def __init__(self, name: str, args: DisksArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Disks", name, None, opts)
        self.storage_class = "rakazo-gp3"
        storage.StorageClass(
            name,
            metadata=meta.ObjectMetaArgs(
                name=self.storage_class,
                labels=LABELS,
                annotations={DEFAULT: "true"},
            ),
            provisioner="ebs.csi.aws.com",
            parameters={"type": "gp3", "encrypted": "true"},
            # A disk is made in the zone of the node that its pod is on, and a node has disks of its own zone only.
            volume_binding_mode="WaitForFirstConsumer",
            reclaim_policy="Retain" if args.protect else "Delete",
            allow_volume_expansion=True,
            opts=_of_a_class(self, args.kubernetes, args.after),
        )
        self.register_outputs({})


@dataclass(frozen=True, kw_only=True)
class FilesArgs:
    """Inputs of :class:`Files`."""

    stack: str
    protect: bool
    subnets: Mapping[str, pulumi.Input[str]]
    """Zone to subnet of its nodes."""
    security_group: pulumi.Input[str]
    provider: aws.Provider
    kubernetes: kubernetes.Provider
    after: Sequence[pulumi.Resource]
    """The driver."""


class Files(pulumi.ComponentResource):
    """An encrypted file system and the class of volumes on it: folders, each with a user of its own."""

    storage_class: str

    def __init__(self, name: str, args: FilesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:Files", name, None, opts)
        child = pulumi.ResourceOptions(parent=self, provider=args.provider)
        system = aws.efs.FileSystem(
            name,
            creation_token=named(args.stack, "files"),
            encrypted=True,
            throughput_mode="elastic",
            tags={"Name": named(args.stack, "files")},
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(protect=args.protect)),
        )
        mounts = [
            aws.efs.MountTarget(
                f"{name}-{zone}",
                file_system_id=system.id,
                subnet_id=subnet,
                security_groups=[args.security_group],
                opts=child,
            )
            for zone, subnet in args.subnets.items()
        ]
        self.storage_class = "rakazo-efs"
        storage.StorageClass(
            f"{name}-class",
            metadata=meta.ObjectMetaArgs(name=self.storage_class, labels=LABELS),
            provisioner="efs.csi.aws.com",
            parameters={"provisioningMode": "efs-ap", "fileSystemId": system.id, "directoryPerms": "700"},
            reclaim_policy="Retain" if args.protect else "Delete",
            opts=_of_a_class(self, args.kubernetes, [*args.after, *mounts]),
        )
        self.register_outputs({})


def contract(disks: Disks, files: Files | None) -> Storage:
    """Return what the application is told: its database is on a disk, whatever its files are on."""
    return Storage(
        storage_class=disks.storage_class,
        shared=files is not None,
        shared_class=files.storage_class if files else None,
    )


def _of_a_class(
    parent: pulumi.Resource, provider: kubernetes.Provider, after: Sequence[pulumi.Resource]
) -> pulumi.ResourceOptions:
    """Return the options of a StorageClass: Kubernetes changes nothing of one, and its name is taken until it is free.

    Volumes that were made of it stay as they are.
    """
    return pulumi.ResourceOptions(
        parent=parent,
        provider=provider,
        depends_on=list(after),
        delete_before_replace=True,
        replace_on_changes=["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"],
    )
