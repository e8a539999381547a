"""The question to Google which versions of Kubernetes it offers, asked in every preview."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_gcp as gcp

from stacks.kubernetes_version import parse_version
from stacks.target import GkeTarget


@dataclass(frozen=True, kw_only=True)
class Offered:
    """What Google offers in one place."""

    versions: Sequence[str]
    """Every version that a control plane may have, as `1.36.2-gke.1100000`."""
    newest: Mapping[str, str]
    """Release channel to its newest version."""


def refused_version(wanted: str, channel: str, offered: Offered) -> str | None:
    """Say why a minor version cannot be had, or None."""
    minors = sorted({_minor(version) for version in offered.versions})
    newest = offered.newest.get(channel)
    if newest is not None:
        minors = [minor for minor in minors if minor <= _minor(newest)]
    if parse_version(wanted) in minors:
        return None
    listed = ", ".join(f'"{major}.{minor}"' for major, minor in minors) or "nothing"
    return (
        f"settings.target.kubernetes_version: the channel {channel} does not offer {wanted} there; it offers {listed}. "
        "Write one of them; for a cluster that exists the one that Google has upgraded it to"
    )


def choose_version(settings: GkeTarget, provider: gcp.Provider) -> pulumi.Output[str]:
    """Return the version for the control plane, which is the wanted minor; the preview fails when there is none.

    Google takes a minor for the newest of it, and lets a control plane that has gone on be: nothing changes when a
    patch comes out.
    """
    asked = gcp.container.get_engine_versions_output(
        location=settings.location,
        project=settings.project,
        version_prefix="1.",
        opts=pulumi.InvokeOutputOptions(provider=provider),
    )

    def chosen(answer: gcp.container.GetEngineVersionsResult) -> str:
        offered = Offered(versions=answer.valid_master_versions, newest=answer.release_channel_latest_version)
        reason = refused_version(settings.kubernetes_version, settings.release_channel, offered)
        if reason is not None:
            raise pulumi.RunError(reason)
        return settings.kubernetes_version

    return asked.apply(chosen)


def _minor(version: str) -> tuple[int, int]:
    major, minor, *_ = version.split(".")
    return int(major), int(minor)
