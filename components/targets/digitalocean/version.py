"""Which version of Kubernetes a cluster at DigitalOcean gets."""

from collections.abc import Sequence
from dataclasses import dataclass

from stacks.kubernetes_version import parse_version

KEY = "settings.target.kubernetes_version"


@dataclass(frozen=True, kw_only=True)
class Version:
    """The version to ask for."""

    slug: str
    kept: bool
    """Whether the cluster has this minor already; then its patches are DigitalOcean's business, and ours never."""


class NoSuchVersionError(ValueError):
    """The wanted version is not to be had; the message names the ones that are."""


def choose_version(wanted: str, existing: str | None, offered: Sequence[str]) -> Version:
    """Return the slug for a minor such as `1.36`, given the cluster's own slug and what DigitalOcean offers now.

    Patches come and go there: a slug that was written down would soon be refused for a new cluster, and a newer one
    is no reason to touch a cluster that runs. NoSuchVersionError for a minor that is not offered, for a step back,
    which would make the cluster anew, and for one over a minor, which Kubernetes does not allow.
    """
    if existing is not None:
        has, wants = minor_of(existing), parse_version(wanted)
        if has == wants:
            return Version(slug=existing, kept=True)
        if wants < has:
            raise NoSuchVersionError(
                f'{KEY} is "{wanted}", and the cluster runs {existing}: it cannot go back, only be made anew with all '
                f'data lost; write "{_text(has)}"'
            )
        if wants != (has[0], has[1] + 1):
            raise NoSuchVersionError(
                f'{KEY} is "{wanted}", and the cluster runs {existing}: minors are upgraded one at a time; write '
                f'"{has[0]}.{has[1] + 1}" first'
            )
    fitting = [slug for slug in offered if minor_of(slug) == parse_version(wanted)]
    if not fitting:
        minors = sorted({minor_of(slug) for slug in offered}, reverse=True)
        listed = ", ".join(f'"{_text(minor)}"' for minor in minors)
        raise NoSuchVersionError(f'{KEY} is "{wanted}", which DigitalOcean does not offer; write one of {listed}')
    return Version(slug=max(fitting, key=_order), kept=False)


def minor_of(slug: str) -> tuple[int, int]:
    """Return (major, minor) of a slug such as `1.36.2-do.0`."""
    major, minor = slug.split(".")[:2]
    return int(major), int(minor)


def _order(slug: str) -> tuple[int, int]:
    """Patch and DigitalOcean's own revision, as numbers: `1.36.10-do.0` is newer than `1.36.9-do.3`."""
    patch, _, revision = slug.split(".", 2)[2].partition("-do.")
    return int(patch), int(revision or 0)


def _text(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"
