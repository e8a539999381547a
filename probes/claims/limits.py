"""What one computer may use, and how many there may be: what admission makes of it."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from kubernetes.client.exceptions import ApiException

from probes import cast
from probes.claim import Claim, Evidence, Group
from probes.facts import Facts
from probes.pods import said
from probes.scene import Scene
from stacks.quantity import cpu_millis, size_bytes

REMEDY = (
    "`kubectl get limitrange,resourcequota -n <computers' namespace>` must list `computers` twice, with the figures "
    "of settings.computers; `pulumi up --refresh` writes both anew."
)


def claims(facts: Facts) -> Iterator[Claim]:
    """Claims about the quota and the defaults."""
    from probes.claims import limits_felt

    yield Claim(
        id="limits-default",
        group=Group.LIMITS,
        sentence=f"A computer that brings no limits gets {facts.cpu} cores, {facts.memory} of memory and "
        f"{facts.ephemeral_storage} of disk.",
        reason="Rakazo may write none, and one computer without limits takes all of its node.",
        method="A pod without limits goes through admission as a dry run, with Rakazo's own rights.",
        control="The pod as it was sent has none.",
        remedy=REMEDY,
        look=_default,
    )
    yield Claim(
        id="limits-number",
        group=Group.LIMITS,
        sentence=f"Nobody gets more than {facts.maximum} computers, nor one that is larger than the settings say.",
        reason="Stray computers would take the cluster's room from everything else.",
        method="Dry runs with Rakazo's own rights: a pod with 1000 cores, and one that asks for more than all "
        "computers together may have.",
        control="A computer of the usual size is accepted by the same dry run.",
        remedy=REMEDY,
        look=_number,
    )
    yield from limits_felt.claims()


def _default(scene: Scene) -> Iterator[Evidence]:
    facts, subject = scene.facts, "a computer that brings no limits"
    try:
        with scene.room():
            made = scene.computers.create(scene.new_computer("verify-bare", cast.idle()), dry_run=True)
    except ApiException as error:
        # For want of limits, or for something that other claims are about.
        holds = False if "must specify limits" in said(error) else None
        yield Evidence(subject=subject, seen=f"refused: {said(error)}", holds=holds)
        return
    got: dict[str, str] = made.spec.containers[0].resources.limits or {}
    wanted = {"cpu": facts.cpu, "memory": facts.memory, "ephemeral-storage": facts.ephemeral_storage}
    for kind, limit in wanted.items():
        amount = cpu_millis if kind == "cpu" else size_bytes
        given = got.get(kind)
        yield Evidence(
            subject=f"{kind} of {subject}",
            seen=given or "no limit",
            control=f"computers.{kind.replace('-', '_')} is {limit}",
            holds=given is not None and amount(given) == amount(limit),
        )


def _number(scene: Scene) -> Iterator[Evidence]:
    usual = scene.new_computer("verify-too-much", cast.idle())
    with scene.room():
        control = f"one of the usual size: {_asked(scene, usual) or 'accepted'}"
        large = deepcopy(usual)
        large["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "1000", "memory": "4000Gi"}}
        yield _refused(scene, "a computer with 1000 cores", large, control, ("maximum", "exceeded quota"))
        many = deepcopy(usual)
        (container,) = many["spec"]["containers"]
        count = 2 * scene.facts.maximum + 1  # twice: the quota also has room for what the runtime itself takes
        many["spec"]["containers"] = [container | {"name": f"computer-{number}"} for number in range(count)]
        yield _refused(scene, f"a pod as large as {count} computers", many, control, ("exceeded quota",))


def _refused(scene: Scene, subject: str, pod: dict[str, Any], control: str, words: tuple[str, ...]) -> Evidence:
    answer = _asked(scene, pod)
    fits = any(word in answer for word in words)
    seen = f"refused: {answer[:500]}" if answer else "accepted"
    return Evidence(subject=subject, seen=seen, control=control, holds=fits if control.endswith("accepted") else None)


def _asked(scene: Scene, pod: dict[str, Any]) -> str:
    """Return why admission refuses a pod; empty when it does not."""
    try:
        scene.computers.create(pod, dry_run=True)
    except ApiException as error:
        return said(error)
    return ""
