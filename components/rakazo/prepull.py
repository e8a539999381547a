"""A release's image, brought onto a node while the release before still runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.batch import v1 as batch
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names
from components.kubernetes.awaiting import REPLACE_UNREADY
from components.kubernetes.workload import PodArgs, render_pod
from components.rakazo.service_args import on_the_node_of, pod_labels
from components.rakazo.services import API, PREPULL

DEADLINE_SECONDS = 900
"""For a gigabyte over a slow line; an image that is not there is known after it, and nothing has been stopped."""


@dataclass(frozen=True, kw_only=True)
class PrepullArgs:
    """Inputs of :class:`Prepull`."""

    namespace: str
    image: str
    """By digest."""
    after: Sequence[pulumi.Resource]
    """What has to exist before anything in the namespace does: its policies."""


class Prepull(pulumi.ComponentResource):
    """A container of the release has run, where api runs if that can be, before anything ends for the release.

    So an image that cannot be had, or is for another processor, stops nobody's work, and the time without Rakazo does
    not depend on how long the image takes to come.
    """

    def __init__(self, name: str, args: PrepullArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Prepull", name, None, opts)
        batch.Job(
            name,
            metadata=meta.ObjectMetaArgs(
                name=names.prepull_job(args.image),
                namespace=args.namespace,
                labels=pod_labels(PREPULL, args.namespace),
                annotations=REPLACE_UNREADY,
            ),
            spec=batch.JobSpecArgs(
                backoff_limit=0,
                active_deadline_seconds=DEADLINE_SECONDS,
                template=render_pod(
                    PREPULL,
                    PodArgs(
                        image=args.image,
                        labels=pod_labels(PREPULL, args.namespace),
                        settings={},
                        secret_holders={},
                        affinity=on_the_node_of(API, args.namespace, required=False),
                        restart="Never",
                    ),
                ),
            ),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=args.after,
                custom_timeouts=pulumi.CustomTimeouts(create=f"{DEADLINE_SECONDS}s"),
                # A name is its digest: one that failed has to go before it is made anew.
                delete_before_replace=True,
            ),
        )
        self.register_outputs({})
