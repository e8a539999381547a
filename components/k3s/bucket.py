"""What k3s is told about the bucket for snapshots: in a Secret while it runs, in flags when it restores one."""

import shlex
from collections.abc import Mapping

from components.k3s.plan import Node, Plan
from stacks.target.snapshots import SnapshotSettings

SECRET = "k3s-etcd-snapshot-s3-config"  # noqa: S105 - the name of a Secret, which k3s looks for in kube-system


def render_config() -> dict[str, object]:
    """Return k3s' flags for snapshots. Any other flag about S3 beside these two would make k3s ignore the Secret."""
    return {"etcd-s3": True, "etcd-s3-config-secret": SECRET}


def describe(stack: str, settings: SnapshotSettings) -> Mapping[str, str]:
    """Return k3s' names for a bucket to what they are, without its keys.

    The folder is the stack's own: k3s keeps the newest five of whatever lies there.
    """
    return {
        "etcd-s3-endpoint": settings.host,
        "etcd-s3-bucket": settings.bucket,
        "etcd-s3-region": settings.region,
        "etcd-s3-folder": f"rakazo-{stack}",
        "etcd-s3-insecure": "false" if settings.is_encrypted else "true",
    }


def restore_variables(plan: Plan, node: Node) -> dict[str, str]:
    """Return which snapshot a node begins the cluster with; an empty name is none."""
    settings = plan.k3s.snapshots
    if settings is None or settings.restore is None or node is not plan.servers[0]:
        return {"RESTORE": "", "RESTORE_FLAGS": ""}
    told = {"etcd-s3": "true", **describe(plan.stack, settings)}
    return {
        "RESTORE": settings.restore,
        "RESTORE_FLAGS": shlex.join(f"--{name}={value}" for name, value in told.items()),
    }
