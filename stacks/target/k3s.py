"""Which release of k3s."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import AfterValidator, Field, PositiveInt

from stacks.base import Model
from stacks.kubernetes_version import OLDEST
from stacks.target.mirror import Mirror
from stacks.target.snapshots import UNSET, SnapshotSettings

Release = tuple[int, int, int, int]
"""(major, minor, patch, k3s' own number): compares as releases do."""

DROP_INS_SINCE = {34: 6, 35: 3}
"""Minor to the patch from which on the generated configuration of containerd imports drop-ins; later minors all do."""

_SHAPE = re.compile(r"v(1)\.([1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\+k3s([1-9][0-9]?)")


def parse_release(text: str) -> Release:
    """Return `v1.36.2+k3s1` as (1, 36, 2, 1); anything else is a ValueError."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError('is not a release of k3s; write all of its name, such as "v1.36.2+k3s1"')
    major, minor, patch, build = (int(part) for part in match.groups())
    return major, minor, patch, build


def reached(release: Release, since: Mapping[int, int]) -> bool:
    """Whether a release has what came with a patch of its minor, or with a minor before it."""
    _, minor, patch, _ = release
    return patch >= since[minor] if minor in since else minor > max(since)


def _checked_release(text: str) -> str:
    if parse_release(text)[:2] < OLDEST:
        raise ValueError(
            f"is older than {OLDEST[0]}.{OLDEST[1]}, the first Kubernetes with ValidatingAdmissionPolicy; write a "
            "newer release"
        )
    return text


class K3sSettings(Model):
    """One release of k3s, by name and checksum, for x86-64."""

    version: Annotated[str, AfterValidator(_checked_release)]
    """Name of the release, such as v1.36.2+k3s1. Never moves by itself."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Checksum of the file `k3s` (line of `k3s` in the release's sha256sum-amd64.txt)."""
    mirror: Mirror = "https://github.com/k3s-io/k3s/releases/download"
    """Holds `<version>/k3s`; for machines without a way to GitHub, a server of yours."""
    kubeconfig_serial: PositiveInt = 1
    """Raise it to read the administrator's kubeconfig anew: its certificate lasts a year, and k3s renews it when it
    starts in the last 90 days of it."""
    snapshots: SnapshotSettings | None = None
    """Where snapshots of the cluster's database go; unset: to the servers' own disks alone."""

    @property
    def release(self) -> Release:
        """The version as numbers."""
        return parse_release(self.version)

    @property
    def kubernetes_version(self) -> str:
        """Major and minor of Kubernetes, as other targets write it."""
        major, minor, *_ = self.release
        return f"{major}.{minor}"

    @property
    def imports_drop_ins(self) -> bool:
        """Whether its containerd reads what others put beside the generated configuration."""
        return reached(self.release, DROP_INS_SINCE)

    @property
    def begun_from(self) -> str:
        """Name of the snapshot with which a new cluster begins; empty: with none."""
        return "" if self.snapshots is None else self.snapshots.restore or ""

    @property
    def url(self) -> str:
        """Where the program is."""
        return f"{self.mirror}/{self.version.replace('+', '%2B')}/k3s"

    def warnings(self) -> Iterator[str]:
        """Yield what a preview tells although nothing is wrong."""
        if self.snapshots is None:
            yield UNSET
        else:
            yield from self.snapshots.warnings()
