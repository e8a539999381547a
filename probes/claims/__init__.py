"""Every claim about a stack, one module per group."""

from collections.abc import Iterator

from probes.claim import Claim
from probes.facts import Facts
from probes.surroundings import Surroundings


def every_claim(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    """Return all claims in the order in which a report shows them."""
    from probes.claims import (
        admission,
        admission_good,
        admission_people,
        application,
        birth,
        identity,
        identity_rights,
        incoming,
        kernel,
        limits,
        outgoing_allowed,
        outgoing_application,
        outgoing_cluster,
        outgoing_ranges,
        placement,
        secrets,
        secrets_nowhere,
    )

    yield from kernel.claims(facts)
    yield from placement.claims(facts)
    yield from outgoing_ranges.claims(facts, around)
    yield from outgoing_cluster.claims(facts, around)
    yield from outgoing_application.claims(facts, around)
    yield from outgoing_allowed.claims(facts)
    yield from incoming.claims(facts, around)
    yield from birth.claims(facts)
    yield from identity.claims(facts)
    yield from identity_rights.claims(facts)
    yield from admission_good.claims(facts)
    yield from admission.claims(facts)
    yield from admission_people.claims(facts)
    yield from limits.claims(facts)
    yield from secrets.claims(facts)
    yield from secrets_nowhere.claims(facts)
    yield from application.claims(facts)
