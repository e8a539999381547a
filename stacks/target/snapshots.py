"""Where snapshots of the cluster's own database are kept, outside of the cluster."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, Field

from stacks.base import Model

_ENDPOINT = re.compile(r"https?://[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?(:[0-9]{1,5})?")
_NAME = re.compile(r"[A-Za-z0-9][-.A-Za-z0-9_]*")

UNSET = (
    "settings.target.k3s.snapshots is unset: snapshots of the cluster's database stay on the servers' disks, and are "
    "lost with them. Write snapshots: {endpoint: https://s3.example.com, bucket: backups}."
)


def _checked_endpoint(url: str) -> str:
    plain = url.rstrip("/")
    if not _ENDPOINT.fullmatch(plain):
        raise ValueError('is not the address of an object store; write it as "https://s3.example.com", without a path')
    return plain


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(
            "is not the name of a snapshot; write the last part of its path in the bucket, such as "
            "etcd-snapshot-rakazo-1-1796083200"
        )
    return name


class SnapshotSettings(Model):
    """A bucket in an object store that speaks S3. k3s puts a snapshot into it every twelve hours and keeps five."""

    endpoint: Annotated[str, AfterValidator(_checked_endpoint)]
    """Address of the object store, such as https://fsn1.your-objectstorage.com."""
    bucket: Annotated[str, Field(pattern=r"^[a-z0-9][-.a-z0-9]{1,61}[a-z0-9]$")]
    """Name of the bucket, which exists already. Snapshots go into the folder rakazo-<stack> of it."""
    region: Annotated[str, Field(pattern=r"^[a-z0-9][-a-z0-9]*$")] = "us-east-1"
    """Region of the bucket; many stores other than Amazon's take any."""
    restore: Annotated[str, AfterValidator(_checked_name)] | None = None
    """Name of a snapshot, such as etcd-snapshot-rakazo-1-1796083200: a first server that has no data yet begins the
    cluster with it. A server that has data keeps it, whatever is written here."""

    @property
    def host(self) -> str:
        """The store's name and, when it is written, its port."""
        return self.endpoint.partition("://")[2]

    @property
    def is_encrypted(self) -> bool:
        """Whether the way to the store is."""
        return self.endpoint.startswith("https://")

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if not self.is_encrypted:
            yield (
                "settings.target.k3s.snapshots.endpoint is http: everybody on the way to the store can read the "
                "snapshots. Write endpoint: https://…"
            )
        if self.restore is not None:
            yield (
                f"settings.target.k3s.snapshots.restore is {self.restore}: the next first server without data begins "
                "with that snapshot, however old it is then. Delete the line as soon as the cluster is back."
            )
