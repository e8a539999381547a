"""Files that several nodes have at once."""

from dataclasses import dataclass

import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.storage import v1 as storage

from components.kubernetes.names import MANAGED_BY
from components.targets.digitalocean.names import named
from stacks.target.digitalocean import NfsSettings

NOBODY = "kubernetes.io/no-provisioner"
"""A class of volumes that are there, not made when they are asked for."""


@dataclass(frozen=True, kw_only=True)
class SharedFilesArgs:
    """Inputs of :class:`SharedFiles`."""

    stack: str
    settings: NfsSettings
    region: str
    vpc_id: pulumi.Input[str]
    protect: bool
    cloud: digitalocean.Provider
    cluster: kubernetes.Provider


class SharedFiles(pulumi.ComponentResource):
    """A share of DigitalOcean's, and the one volume on it, in a class of its own."""

    storage_class: str

    def __init__(self, name: str, args: SharedFilesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:SharedFiles", name, None, opts)
        self.storage_class = named(args.stack, "files")
        share = digitalocean.Nfs(
            name,
            name=self.storage_class,
            region=args.region,
            vpc_id=args.vpc_id,
            size=args.settings.size,
            performance_tier=args.settings.performance_tier,
            opts=pulumi.ResourceOptions(parent=self, provider=args.cloud, protect=args.protect),
        )
        inside = pulumi.ResourceOptions(parent=self, provider=args.cluster)
        labels = {MANAGED_BY: "rakazo-infra"}
        registered = storage.StorageClass(
            f"{name}-class",
            metadata=meta.ObjectMetaArgs(name=self.storage_class, labels=labels),
            provisioner=NOBODY,
            reclaim_policy="Retain",
            opts=inside,
        )
        core.PersistentVolume(
            f"{name}-volume",
            metadata=meta.ObjectMetaArgs(name=self.storage_class, labels=labels),
            spec=core.PersistentVolumeSpecArgs(
                storage_class_name=self.storage_class,
                capacity={"storage": f"{args.settings.size}Gi"},
                access_modes=["ReadWriteMany"],
                persistent_volume_reclaim_policy="Retain",
                nfs=core.NFSVolumeSourceArgs(server=share.host, path=share.mount_path),
            ),
            opts=pulumi.ResourceOptions(parent=self, provider=args.cluster, depends_on=[registered]),
        )
        self.register_outputs({})
