"""The one change of the database's schema that a release makes."""

import pulumi
from pulumi_kubernetes.batch import v1 as batch
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names
from components.kubernetes.awaiting import REPLACE_UNREADY
from components.kubernetes.workload import render_pod
from components.rakazo.service_args import ServiceArgs, pod_args, pod_labels
from components.rakazo.services import MIGRATE

RETRIES = 3
"""After the first try: Postgres may answer a moment later than its probe says."""
DEADLINE_SECONDS = 1800
"""For all tries together; an index on a large table takes its time."""


class Migrate(pulumi.ComponentResource):
    """The schema is the release's before api or worker starts; no other pod holds the owner's login.

    The Job is named after the image's digest: one release, one Job, whose log stays until the next. It runs
    again, harmlessly, when one of its two passwords changes, since it gives the app login its password, and when the
    cluster begins with a snapshot.
    """

    namespace: pulumi.Output[str]
    """Its namespace, unknown while it is replaced: what is in it has ended before the schema changes."""

    def __init__(self, name: str, args: ServiceArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:Migrate", name, None, opts)
        job = batch.Job(
            name,
            metadata=meta.ObjectMetaArgs(
                name=names.migrate_job(args.image),
                namespace=args.namespace,
                labels=pod_labels(MIGRATE, args.namespace),
                annotations=REPLACE_UNREADY,
            ),
            spec=batch.JobSpecArgs(
                parallelism=1,
                completions=1,
                backoff_limit=RETRIES,
                active_deadline_seconds=DEADLINE_SECONDS,
                # Never: a failed pod and its log stay, while OnFailure would delete them at the last try.
                template=render_pod(MIGRATE, pod_args(MIGRATE, args, restart="Never")),
            ),
            opts=pulumi.ResourceOptions(
                parent=self,
                depends_on=[*args.after, *args.secret.resources],
                custom_timeouts=pulumi.CustomTimeouts(create=f"{DEADLINE_SECONDS}s"),
                # Two migrations at once would wait for each other's locks.
                delete_before_replace=True,
            ),
        )
        self.namespace = job.metadata.apply(lambda found: str(found.namespace))
        self.register_outputs({})
