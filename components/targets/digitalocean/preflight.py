"""The questions to DigitalOcean before anything is declared: what is offered, and what is there."""

from dataclasses import dataclass

import pulumi
import pulumi_digitalocean as digitalocean

from components.targets.digitalocean.existing import ExistingCluster, find_cluster
from components.targets.digitalocean.offer import Size, Vpc, refused_changes, refused_size, refused_vpc
from components.targets.digitalocean.version import NoSuchVersionError, Version, choose_version
from stacks.target import DigitalOceanTarget


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What was found."""

    existing: ExistingCluster | None
    """The stack's own cluster, when it is there already."""
    version: Version


def ask(name: str, settings: DigitalOceanTarget, provider: digitalocean.Provider) -> Answer:
    """Ask, and raise a RunError with everything that cannot be done, before anything is ordered.

    `name` is the cluster's. The answers are needed before resources are declared, not after: which version the
    cluster has decides whether a change of it is ours.
    """
    options = pulumi.InvokeOptions(provider=provider)
    existing = find_cluster(name, provider)
    faults = [*refused_changes(settings, existing)]
    sizes = {
        size.slug: Size(available=size.available, memory_mib=size.memory, regions=frozenset(size.regions))
        for size in digitalocean.get_sizes(opts=options).sizes
    }
    pools = {"system": settings.system.size, "computers": settings.computers.size}
    reasons = [refused_size(key, slug, settings.region, sizes) for key, slug in pools.items()]
    if settings.vpc.id is not None:
        reasons.append(_refused_vpc(settings, settings.vpc.id, options))
    faults += [reason for reason in reasons if reason is not None]
    offered = digitalocean.get_kubernetes_versions(opts=options).valid_versions
    try:
        version = choose_version(settings.kubernetes_version, existing.version if existing else None, offered)
    except NoSuchVersionError as error:
        raise pulumi.RunError("\n  ".join([*faults, str(error)])) from error
    if faults:
        raise pulumi.RunError("\n  ".join(faults))
    return Answer(existing=existing, version=version)


def _refused_vpc(settings: DigitalOceanTarget, identifier: str, options: pulumi.InvokeOptions) -> str | None:
    try:
        found = digitalocean.get_vpc(id=identifier, opts=options)
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing narrower for the answer of a provider
        return f"settings.target.vpc.id names no VPC that the token may see ({error}); doctl vpcs list shows them"
    return refused_vpc(settings, Vpc(region=found.region, range=found.ip_range))
