"""Where computers run: on their own nodes, and nothing of the application beside them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes import cast
from probes.claim import Claim, Evidence, Group
from probes.facts import Facts
from probes.pods import said
from probes.scene import Scene
from probes.vantage import Vantage
from probes.whereabouts import pod_of, pods_in

REASON = "Who breaks out of a computer is on its node, with whatever else runs there and with the node's own rights."
NO_LABELS = "runtime.node_selector is empty: the settings give computers every node"


def claims(facts: Facts) -> Iterator[Claim]:
    """Claims about nodes."""
    labels = ", ".join(f"{key}={value}" for key, value in sorted(facts.node_labels.items())) or "any label"
    yield Claim(
        id="placement-computers",
        group=Group.PLACEMENT,
        sentence=f"Computers run on nodes with {labels} and on no others.",
        reason=REASON,
        method="The node of every pod in the computers' namespace is read from the API server.",
        control="A pod of the cluster's ordinary runtime runs on another node.",
        remedy="Stop the computers that are named, in Rakazo: their next start follows the RuntimeClass.",
        look=_computers,
    )
    yield Claim(
        id="placement-class",
        group=Group.PLACEMENT,
        sentence=f"The RuntimeClass {facts.runtime_class} puts every pod that names it on those nodes.",
        reason="Rakazo's pods say nothing about nodes; without the class's selector they run anywhere.",
        method="The class is read, and a plain pod of Rakazo's goes through admission as a dry run.",
        control="A dry run of a pod that names no class comes back without a selector.",
        remedy="Write the labels of the computers' nodes under runtime.node_selector, and run `pulumi up --refresh`, "
        "which writes the class's scheduling.nodeSelector anew.",
        look=_class,
    )
    yield Claim(
        id="placement-alone",
        group=Group.PLACEMENT,
        sentence="Nothing of the application runs on the computers' nodes.",
        reason=REASON,
        method="The node of every pod in the application's namespace is read from the API server.",
        control="The same list has the application's pods, each with its node.",
        remedy="Taint the computers' nodes and write the taint under runtime.tolerations; for the nodes of the "
        "defaults: kubectl taint nodes -l rakazo-infra/pool=computers rakazo-infra/pool=computers:NoSchedule",
        look=_alone,
    )


def _computers(scene: Scene) -> Iterator[Evidence]:
    own = scene.around.computers_nodes
    control = f"{Vantage.BYSTANDER} runs on node {pod_of(scene, Vantage.BYSTANDER).spec.node_name}"
    if not scene.facts.node_labels:
        yield Evidence(subject="computers", seen=NO_LABELS, control=control, holds=None)
        return
    found = _by_node(pods_in(scene, scene.facts.computers))
    if not found:
        yield Evidence(subject="computers", seen="none runs", control=control, holds=None)
    for node, names in found.items():
        yield Evidence(
            subject=f"{len(names)} computers on node {node}",
            seen="a node with the labels" if node in own else f"without the labels: {', '.join(names)}",
            control=control,
            holds=node in own,
        )


def _class(scene: Scene) -> Iterator[Evidence]:
    facts = scene.facts
    scheduling = client.NodeV1Api(scene.operator).read_runtime_class(facts.runtime_class).scheduling
    selector = dict((scheduling.node_selector if scheduling else None) or {})
    fits = None if not facts.node_labels and not selector else selector == facts.node_labels
    yield Evidence(
        subject=f"RuntimeClass {facts.runtime_class}",
        seen=f"scheduling.nodeSelector: {_said(selector)}" if facts.node_labels or selector else NO_LABELS,
        holds=fits,
    )
    try:
        with scene.room():
            pod = scene.computers.create(scene.new_computer("verify-placed", cast.idle()), dry_run=True)
    except ApiException as error:
        seen = f"refused, see admission-good: {said(error)}"
        yield Evidence(subject="a plain pod of Rakazo's after admission", seen=seen, holds=None)
        return
    plain = cast.ordinary(facts, "placed", scene.run_id, cast.idle())
    control = scene.pods(facts.probes_namespace).create(plain, dry_run=True)
    got: dict[str, Any] = pod.spec.node_selector or {}
    yield Evidence(
        subject="a plain pod of Rakazo's after admission",
        seen=f"nodeSelector: {_said(got)}",
        control=f"a pod without the class: {_said(control.spec.node_selector or {})}",
        holds=got == facts.node_labels if facts.node_labels else None,
    )


def _alone(scene: Scene) -> Iterator[Evidence]:
    facts, own = scene.facts, scene.around.computers_nodes
    if not facts.node_labels or own == scene.around.nodes.keys():
        seen = NO_LABELS if not facts.node_labels else f"every node has the labels: {', '.join(sorted(own))}"
        yield Evidence(subject="the application's pods", seen=seen, holds=None)
        return
    for node, names in _by_node(pods_in(scene, facts.application)).items():
        yield Evidence(
            subject=f"{', '.join(names)} on node {node}",
            seen="a node of computers" if node in own else "no node of computers",
            control=f"computers run on {', '.join(sorted(own)) or 'no node'}",
            holds=node not in own,
        )


def _by_node(pods: list[client.V1Pod]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for pod in pods:
        found[str(pod.spec.node_name)].append(str(pod.metadata.name))
    return {node: sorted(found[node]) for node in sorted(found)}


def _said(selector: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in sorted(selector.items())) or "none"
