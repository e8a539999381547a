"""Every claim about a stack with Docker computers, one module per group."""

from collections.abc import Iterator

from probes.claim import Claim
from probes.docker.facts import DockerFacts
from probes.docker.surroundings import Around


def every_claim(facts: DockerFacts, around: Around) -> Iterator[Claim]:
    """Return all claims in the order in which a report shows them."""
    from probes.docker.claims import (
        application,
        birth,
        identity,
        incoming,
        kernel,
        limits,
        outgoing,
        rules,
        secrets,
    )

    yield from kernel.claims(facts)
    yield from rules.claims()
    yield from outgoing.claims(facts, around)
    yield from incoming.claims(facts, around)
    yield from birth.claims()
    yield from identity.claims()
    yield from limits.claims(facts)
    yield from secrets.claims(facts)
    yield from application.claims()
