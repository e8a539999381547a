"""Nodes beside the default pool, which is DigitalOcean's."""

from dataclasses import dataclass

import pulumi
import pulumi_digitalocean as digitalocean

from components.targets.digitalocean.names import tags
from stacks.runtime import POOL, POOL_TAINT

LABEL = next(iter(POOL))


@dataclass(frozen=True, kw_only=True)
class NodePoolArgs:
    """Inputs of :class:`NodePool`."""

    stack: str
    cluster: digitalocean.KubernetesCluster
    key: str
    """`system` or `computers`."""
    size: str
    minimum: int
    maximum: int
    provider: digitalocean.Provider


class NodePool(pulumi.ComponentResource):
    """A pool whose nodes say what they are for; another size is another pool, made before the old one goes.

    Its name holds the size, since a cluster takes no two pools of one name.
    """

    pool: digitalocean.KubernetesNodePool

    def __init__(self, name: str, args: NodePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:targets:NodePool", name, None, opts)
        fixed = args.minimum == args.maximum
        taint = digitalocean.KubernetesNodePoolTaintArgs(
            key=POOL_TAINT.key, value=POOL_TAINT.value, effect=POOL_TAINT.effect
        )
        self.pool = digitalocean.KubernetesNodePool(
            name,
            cluster_id=args.cluster.id,
            name=f"{args.key}-{args.size}".replace("_", "-"),
            size=args.size,
            node_count=args.minimum if fixed else None,
            auto_scale=not fixed,
            min_nodes=None if fixed else args.minimum,
            max_nodes=None if fixed else args.maximum,
            labels={LABEL: args.key},
            taints=[taint] if args.key == POOL[LABEL] else [],
            tags=tags(args.stack),
            # Not said, what has a name of the program's choice goes first, whatever its successor is called.
            opts=pulumi.ResourceOptions(parent=self, provider=args.provider, delete_before_replace=False),
        )
        self.register_outputs({})
