"""Which secrets each service of the application has: its own, and nobody else's."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kubernetes import client

from probes.claim import Claim, Evidence, Group
from probes.claims.environment import names_with_planted
from probes.facts import Facts, ServiceFacts
from probes.scene import Scene
from probes.surroundings import COMPONENT, lasting
from probes.vantage import Vantage

Reference = tuple[str, str | None]
"""Name of a Secret and the key in it; None: every key."""


def claims(_facts: Facts) -> Iterator[Claim]:
    """Claims about the secrets of services."""
    yield Claim(
        id="secrets-services",
        group=Group.SECRETS,
        sentence="Each service has the secrets that it needs, and none that is not its own.",
        reason="What a service does not know nobody can take from it: web answers the internet.",
        method="From inside each service: the names of its variables, never their values; then every Secret that a "
        "pod of the application's namespace refers to, in a variable of any name, in a file, or as a whole.",
        control="The same look with the forbidden names planted finds all of them, and the references that are right.",
        remedy="`pulumi up --refresh` writes the workloads anew. A variable that stays comes from the image or from a "
        "webhook; remove pods of the namespace that are not Rakazo's.",
        look=_look,
    )


def _look(scene: Scene) -> Iterator[Evidence]:
    for service in scene.facts.application_services:
        names, planted = names_with_planted(scene, Vantage(service.name), service.forbidden)
        yield judge(service, names, planted)
    yield from _references(scene)


def judge(service: ServiceFacts, names: set[str], planted: set[str]) -> Evidence:
    """Return whether a service's variables are those of its row; `planted` is what a look with all forbidden saw."""
    missing = sorted(set(service.holds) - names)
    extra = sorted(set(service.forbidden) & names)
    blind = sorted(set(service.forbidden) - planted)
    wrong = ([f"has {', '.join(extra)}"] if extra else []) + ([f"lacks {', '.join(missing)}"] if missing else [])
    return Evidence(
        subject=service.name,
        seen=" and ".join(wrong)
        or f"all of {len(service.holds)} that it needs, none of {len(service.forbidden)} that it must not have",
        control=f"with {len(service.forbidden)} planted: {len(service.forbidden) - len(blind)} found",
        holds=False if wrong else (None if blind else True),
    )


def _references(scene: Scene) -> Iterator[Evidence]:
    facts, core = scene.facts, client.CoreV1Api(scene.operator)
    as_data = scene.operator.sanitize_for_serialization
    owners = {
        each["metadata"]["name"]: owner(each)
        for each in as_data(core.list_namespaced_secret(facts.application))["items"]
    }
    forbidden = {service.name: service.forbidden for service in facts.application_services}
    read: dict[str, set[Reference]] = {service.name: set() for service in facts.application_services}
    for pod in lasting(as_data(core.list_namespaced_pod(facts.application))["items"]):
        who = (pod["metadata"].get("labels") or {}).get(COMPONENT) or f"pod {pod['metadata']['name']}"
        read.setdefault(who, set()).update(references(pod["spec"]))
    control = f"{sum(map(len, read.values()))} references found in all"
    for who, referred in read.items():
        yield of_references(who, referred, owners, forbidden.get(who, ()), control if any(read.values()) else "")


def owner(secret: Mapping[str, Any]) -> tuple[str | None, frozenset[str]]:
    """Return the service that a Secret is labelled for, None when it is for several, and its keys."""
    labels = secret["metadata"].get("labels") or {}
    return labels.get(COMPONENT), frozenset(secret.get("data") or {})


def references(spec: Mapping[str, Any]) -> Iterator[Reference]:
    """Yield every Secret that a pod's spec makes readable inside it."""
    for kind in ("containers", "initContainers", "ephemeralContainers"):
        for container in spec.get(kind) or []:
            yield from _of_variables(container)
    for volume in spec.get("volumes") or []:
        yield from _of_volume(volume)


def _of_variables(container: Mapping[str, Any]) -> Iterator[Reference]:
    for variable in container.get("env") or []:
        if one := (variable.get("valueFrom") or {}).get("secretKeyRef"):
            yield one["name"], one["key"]
    for source in container.get("envFrom") or []:
        if whole := source.get("secretRef"):
            yield whole["name"], None


def _of_volume(volume: Mapping[str, Any]) -> Iterator[Reference]:
    if volume.get("secret"):
        yield volume["secret"]["secretName"], None
    for source in (volume.get("projected") or {}).get("sources") or []:
        if source.get("secret"):
            yield source["secret"]["name"], None
    if driver := (volume.get("csi") or {}).get("nodePublishSecretRef"):
        yield driver["name"], None


def of_references(
    who: str,
    referred: set[Reference],
    owners: Mapping[str, tuple[str | None, frozenset[str]]],
    forbidden: Iterable[str],
    control: str,
) -> Evidence:
    """Return whether a service reads only what is its own, or everybody's and not forbidden to it.

    Without a control, because no pod refers to anything, the look may be blind.
    """
    wrong = []
    for name, key in sorted(referred, key=str):
        whose, keys = owners.get(name, (None, frozenset[str]()))
        strange = (keys if key is None else {key}) & set(forbidden)
        if whose not in (None, who):
            wrong.append(f"reads {f'{key} of ' if key else ''}Secret {name}, which is {whose}'s")
        elif strange:
            wrong.append(f"reads {', '.join(sorted(strange))} of Secret {name}")
    names = sorted({name for name, _ in referred})
    return Evidence(
        subject=f"pods of {who}" if not who.startswith("pod ") else who,
        seen="; ".join(dict.fromkeys(wrong)) or (f"reads {', '.join(names)}" if names else "reads no Secret"),
        control=control or "no reference found in any pod",
        holds=False if wrong else (True if control else None),
    )
