"""Where computers run: the part of a RuntimeClass that puts Rakazo's plain pods on their own nodes."""

from collections.abc import Mapping, Sequence

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.node import v1 as node

from stacks.runtime import Placement


def replaced_as_a_whole(parent: pulumi.Resource, after: Sequence[pulumi.Resource] = ()) -> pulumi.ResourceOptions:
    """Return the options of a RuntimeClass: Kubernetes changes no handler, and a name is taken until it is free."""
    return pulumi.ResourceOptions(
        parent=parent, depends_on=after, replace_on_changes=["handler"], delete_before_replace=True
    )


def also_labelled(placement: Placement, labels: Mapping[str, str]) -> Placement:
    """Return the same places, as far as they carry more labels: what brings a runtime onto a node labels it then."""
    return Placement(node_selector={**placement.node_selector, **labels}, tolerations=placement.tolerations)


def choose_scheduling(placement: Placement) -> node.SchedulingArgs:
    """Select the computers' nodes and tolerate their taints.

    Rakazo has no settings for node selectors or tolerations, so the class is the only place from which
    a computer can get them.
    """
    return node.SchedulingArgs(
        node_selector=dict(placement.node_selector),
        tolerations=[
            core.TolerationArgs(key=taint.key, operator="Equal", value=taint.value, effect=taint.effect)
            for taint in placement.tolerations
        ],
    )


def node_labels(placement: Placement) -> tuple[tuple[str, str], ...]:
    """Return the node selector in a form that a frozen contract can hold."""
    return tuple(sorted(placement.node_selector.items()))


def taint_keys(placement: Placement) -> tuple[str, ...]:
    """Return the keys of the taints that the class tolerates."""
    return tuple(taint.key for taint in placement.tolerations)
