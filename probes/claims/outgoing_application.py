"""What must not be reached of the application: its services by a computer, and metadata by its services."""

from collections.abc import Iterator

from probes.claim import Claim, Group
from probes.claims.destinations import closed, in_families
from probes.claims.metadata import METADATA_SERVICES, http
from probes.crossing import Crossing
from probes.facts import Facts
from probes.reach import Destination
from probes.surroundings import Surroundings
from probes.vantage import SERVICES, Vantage

CLIENTS = {"postgres": Vantage.API, "api": Vantage.WEB}
"""Who reaches each service with right, and so shows that it answers; web's clients come from outside."""
WITNESS = "Kubernetes' readiness probe, from the node, finds it ready."
STRANGERS = (Vantage.CONTROL, Vantage.BYSTANDER, Vantage.IMPOSTOR, Vantage.STRAY)
REMEDY = (
    "Each service is closed by `deny-all` and opened by one policy per connection; list them with `kubectl get "
    "networkpolicies` in the application's namespace, remove what rakazo-infra did not write, and run `pulumi up`."
)


def claims(facts: Facts, around: Surroundings) -> Iterator[Claim]:
    """Claims about the application's services as targets and as sources."""
    for service in facts.application_services:
        if service.port is None:
            continue
        targets = _of(facts, around, service.name, service.port)
        who = CLIENTS.get(service.name)
        yield Claim(
            id=f"out-{service.name}",
            group=Group.OUT,
            sentence=f"A computer does not reach {service.name}, by pod or by Service.",
            reason="Whoever steers a computer must not talk to the application behind its front door.",
            method="From inside a computer, by TCP to the pod's and the Service's address.",
            control="Its client reaches the same addresses." if who else WITNESS,
            remedy=REMEDY,
            crossings=_closed([Vantage.COMPUTER], targets, who),
        )
        yield Claim(
            id=f"in-{service.name}",
            group=Group.IN,
            sentence=f"No pod but {service.name}'s own clients reaches {service.name}.",
            reason="Any other workload of the cluster is as foreign as the internet.",
            method="From pods of another namespace, one of them labelled as web, and from a stray pod beside it.",
            control="Its client reaches the same addresses." if who else WITNESS,
            remedy=REMEDY,
            crossings=_closed([*STRANGERS, *_other_services(service.name)], targets, who),
        )
    metadata = in_families(facts, [http(each) for each in METADATA_SERVICES])
    yield Claim(
        id="out-application-metadata",
        group=Group.OUT,
        sentence="No service of the application reaches a metadata service.",
        reason="A request that web or api can be talked into would otherwise fetch the node's identity.",
        method="From inside api, worker, web and postgres, by TCP.",
        control="A pod that no policy selects gets an answer from the same address.",
        remedy=REMEDY,
        crossings=closed(SERVICES, metadata, control=Vantage.CONTROL),
    )


def _other_services(name: str) -> tuple[Vantage, ...]:
    """Return the application's own services that have no business with this one."""
    return {"postgres": (Vantage.WEB,), "api": (Vantage.POSTGRES,), "web": (Vantage.POSTGRES,)}.get(name, ())


def _of(facts: Facts, around: Surroundings, name: str, port: int) -> list[Destination]:
    places = {"pod": around.pods.get(name, ()), "Service": around.services.get(name, ())}
    return in_families(
        facts,
        [
            Destination(name=f"{name} by {kind}", address=address, port=port)
            for kind, addresses in places.items()
            for address in addresses
        ],
    )


def _closed(sources: list[Vantage], targets: list[Destination], who: Vantage | None) -> tuple[Crossing, ...]:
    return closed(sources, targets, control=who, witness="" if who else WITNESS)
