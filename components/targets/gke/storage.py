"""The classes of volumes: disks, and folders that several machines mount."""

from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.storage import v1 as storage

from components.kubernetes.names import MANAGED_BY

DISKS = "rakazo-pd"
"""Google's own classes delete a disk with its claim, whatever `protect` says."""
FILES = "rakazo-filestore"
"""Google's own ones put the Filestore into the network `default`, too."""


@dataclass(frozen=True, kw_only=True)
class ClassArgs:
    """What both classes have in common."""

    protect: bool
    """Whether a volume outlives its claim."""
    provider: kubernetes.Provider
    parent: pulumi.Resource


def make_disk_class(name: str, args: ClassArgs) -> storage.StorageClass:
    """Declare a class for balanced disks, each in the zone of the pod that mounts it."""
    return _declare(name, DISKS, "pd.csi.storage.gke.io", {"type": "pd-balanced"}, args)


def make_filestore_class(name: str, network: pulumi.Input[str], args: ClassArgs) -> storage.StorageClass:
    """Declare a class for Filestore's cheapest tier, in the cluster's own network.

    `network` is the network's path in Google's API, of which the driver takes the name.
    """
    named = pulumi.Output.from_input(network).apply(lambda known: known.rpartition("/")[2])
    return _declare(name, FILES, "filestore.csi.storage.gke.io", {"tier": "BASIC_HDD", "network": named}, args)


def _declare(
    name: str,
    called: str,
    driver: str,
    parameters: dict[str, pulumi.Input[str]],
    args: ClassArgs,
) -> storage.StorageClass:
    return storage.StorageClass(
        name,
        metadata=meta.ObjectMetaArgs(name=called, labels={MANAGED_BY: "rakazo-infra"}),
        provisioner=driver,
        parameters=parameters,
        volume_binding_mode="WaitForFirstConsumer",
        allow_volume_expansion=True,
        reclaim_policy="Retain" if args.protect else "Delete",
        # Kubernetes changes nothing of a class, and its name is taken until it is free. Volumes stay as they are.
        opts=pulumi.ResourceOptions(
            parent=args.parent,
            provider=args.provider,
            delete_before_replace=True,
            replace_on_changes=["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"],
        ),
    )
