"""The one pod that may be made in the computers' namespace, and what the cluster makes of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from kubernetes import client
from kubernetes.utils.quantity import parse_quantity

from probes.bad_pods import WAIT, WAIT_CONTAINER, with_first_steps
from probes.claim import Claim, Evidence, Group
from probes.claims.admission_verdict import QUOTA
from probes.claims.dry_run import NAME, dry_run
from probes.facts import Facts
from probes.scene import Scene

OF_KUBERNETES = "node.kubernetes.io/"
"""Taints that come and go with a node's state."""
OLD = "Kubernetes {major}.{minor} has no mutating admission policies; from 1.36 on it adds the wait"


def claims(_facts: Facts) -> Iterator[Claim]:
    """Claims about Rakazo's own pod."""
    yield Claim(
        id="admission-good",
        group=Group.ADMISSION,
        sentence="Rakazo's own pod is accepted, and comes back isolated, placed and limited.",
        reason="Else Rakazo has no computers, and every refusal below would be a closed namespace.",
        method="With Rakazo's own token, by server-side dry run: the pod that Rakazo writes.",
        control="Each claim below: the same pod with one thing changed.",
        remedy="Read the refusal. `exceeded quota` and `must specify limits` come from the ResourceQuota and the "
        "LimitRange of the computers' namespace, other sentences from its admission policies; `pulumi up --refresh` "
        "writes all of them anew.",
        look=_good,
    )
    yield Claim(
        id="admission-wait",
        group=Group.ADMISSION,
        sentence="Every new computer begins with the wait for its network policies.",
        reason="Network plugins enforce policies some time after a pod has started; until then it reaches everything.",
        method="With Rakazo's own token, by server-side dry run: the first init container of the pod that comes back, "
        "also when it brings one of its own.",
        control="A new computer of claim birth-denied, which tries from its first instruction on.",
        remedy="Look for the policy and its binding: `kubectl get mutatingadmissionpolicies,"
        "mutatingadmissionpolicybindings`; `pulumi up --refresh` writes both anew.",
        look=_wait,
    )


def _good(scene: Scene) -> Iterator[Evidence]:
    facts = scene.facts
    made = dry_run(scene.computers, scene.new_computer(NAME))
    if isinstance(made, str):
        yield refused("Rakazo's own pod", made)
        return
    spec: dict[str, Any] = scene.operator.sanitize_for_serialization(made)["spec"]
    yield Evidence(subject="Rakazo's own pod", seen="accepted", holds=True)
    runtime_class = str(spec.get("runtimeClassName"))
    yield Evidence(subject="its runtime class", seen=runtime_class, holds=runtime_class == facts.runtime_class)
    selector = spec.get("nodeSelector") or {}
    yield Evidence(subject="its node selector", seen=_pairs(selector), holds=selector == facts.node_labels)
    yield tolerates(spec.get("tolerations") or [], _taints(scene))
    yield limited(spec["containers"][0].get("resources") or {}, facts.memory)


def refused(subject: str, sentence: str) -> Evidence:
    """Return what a refusal of a good pod means; for want of room it means nothing."""
    full = QUOTA in sentence
    more = "; stop a computer, or raise computers.maximum" if full else ""
    return Evidence(subject=subject, seen=f"refused: {sentence}{more}", holds=None if full else False)


def _pairs(labels: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in sorted(labels.items())) or "none: any node"


def _taints(scene: Scene) -> dict[str, str]:
    """Return key and value of the taints on the computers' nodes."""
    nodes = client.CoreV1Api(scene.operator).list_node().items
    return {
        taint.key: taint.value or ""
        for node in nodes
        if node.metadata.name in scene.around.computers_nodes
        for taint in node.spec.taints or []
        if taint.effect != "PreferNoSchedule" and not taint.key.startswith(OF_KUBERNETES)
    }


def tolerates(tolerations: list[dict[str, Any]], taints: Mapping[str, str]) -> Evidence:
    """Return whether a pod may run where computers run."""
    missing = [
        key
        for key, value in taints.items()
        if not any(
            each.get("key") == key and (each.get("operator") == "Exists" or each.get("value", "") == value)
            for each in tolerations
        )
    ]
    seen = f"without {', '.join(missing)}" if missing else ", ".join(taints) or "none is needed"
    return Evidence(subject="its tolerations of the computers' nodes", seen=seen, holds=not missing)


def limited(resources: Mapping[str, Any], memory: str) -> Evidence:
    """Return whether memory, CPU and disk have limits, and memory the stack's own."""
    limits = resources.get("limits") or {}
    missing = [each for each in ("cpu", "memory", "ephemeral-storage") if each not in limits]
    seen = _pairs(limits) if limits else "none"
    if missing:
        seen += f"; without {', '.join(missing)}"
    right = not missing and parse_quantity(limits["memory"]) == parse_quantity(memory)
    return Evidence(subject="its limits", seen=seen, holds=right)


def _wait(scene: Scene) -> Iterator[Evidence]:
    facts = scene.facts
    if not facts.waits_for_policies:
        major, minor = facts.kubernetes_version
        yield Evidence(subject="a new computer", seen=OLD.format(major=major, minor=minor), holds=None)
        return
    plain, eager = scene.new_computer(NAME), scene.new_computer(NAME)
    with_first_steps(eager)
    for subject, pod in (("a new computer", plain), ("one with an init container of its own", eager)):
        made = dry_run(scene.computers, pod)
        if isinstance(made, str):
            yield unwaiting(subject, made)
        else:
            spec: dict[str, Any] = scene.operator.sanitize_for_serialization(made)["spec"]
            yield first(subject, spec.get("initContainers") or [], facts.image_computer)


def unwaiting(subject: str, sentence: str) -> Evidence:
    """Return what a refusal says about the wait: one for its absence all, any other nothing (see admission-good)."""
    return Evidence(subject=subject, seen=f"refused: {sentence}", holds=False if sentence.endswith(WAIT) else None)


def first(subject: str, init_containers: list[dict[str, Any]], image: str) -> Evidence:
    """Return whether the wait comes before everything else, and is a program of the computers' own image."""
    names = [each["name"] for each in init_containers]
    seen = f"init containers: {', '.join(names) or 'none'}"
    if names[:1] != [WAIT_CONTAINER]:
        return Evidence(subject=subject, seen=seen, holds=False)
    runs = bool(init_containers[0].get("command")) and init_containers[0].get("image") == image
    return Evidence(subject=subject, seen=seen if runs else f"{seen}, of {init_containers[0]['image']}", holds=runs)
