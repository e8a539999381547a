"""Volumes that several machines mount."""

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.storage import v1 as storage

CLASS = "rakazo-filestore"
"""A class of the stack's own: Google's default ones put the Filestore into the network `default`."""


def make_filestore_class(
    name: str, network: pulumi.Input[str], provider: kubernetes.Provider, parent: pulumi.Resource
) -> storage.StorageClass:
    """Declare a class for Filestore's cheapest tier, in the cluster's own network.

    `network` is the network's path in Google's API, of which the driver takes the name.
    """
    path = pulumi.Output.from_input(network)
    return storage.StorageClass(
        name,
        metadata=meta.ObjectMetaArgs(name=CLASS, labels={"app.kubernetes.io/managed-by": "rakazo-infra"}),
        provisioner="filestore.csi.storage.gke.io",
        parameters={"tier": "BASIC_HDD", "network": path.apply(lambda known: known.rpartition("/")[2])},
        volume_binding_mode="WaitForFirstConsumer",
        allow_volume_expansion=True,
        reclaim_policy="Delete",
        opts=pulumi.ResourceOptions(parent=parent, provider=provider),
    )
