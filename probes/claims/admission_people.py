"""Who may make, enter or change a computer: Rakazo's account, and not even the operator."""

from collections.abc import Callable, Iterator
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes import cast
from probes.bad_pods import CREATOR, EPHEMERAL
from probes.claim import Claim, Evidence, Group
from probes.claims.admission_verdict import filled, verdict
from probes.claims.dry_run import NAME, refusal
from probes.facts import Facts
from probes.pods import said
from probes.scene import Scene
from probes.vantage import Vantage

CONNECTIONS: dict[str, dict[str, Any]] = {
    "exec": {"command": ["true"], "stdout": True},
    "attach": {"stdout": True},
    "portforward": {"ports": "6080"},
    "proxy": {},
}
"""Every way into a pod through the API server, and what each asks for."""
SECONDS = 10
FORBIDDEN = 403
REMEDY = (
    "Look at the bindings with `kubectl get validatingadmissionpolicybindings -o yaml`: their namespaceSelector must "
    "name the computers' namespace and validationActions must be [Deny]; `pulumi up --refresh` writes them anew."
)


def claims(_facts: Facts) -> Iterator[Claim]:
    """Claims about everybody but Rakazo."""
    yield Claim(
        id="admission-creator",
        group=Group.ADMISSION,
        sentence="Nobody but Rakazo's account makes a computer or enters one, not even the operator.",
        reason="Who may look into a pod sees all of its user's work, and leaves no trace in Rakazo.",
        method="With the operator's rights: a server-side dry run of Rakazo's own pod; then exec, attach, port-forward "
        "and proxy to a running computer, as requests that could not go on to do anything.",
        control="Rakazo's account makes the same pod and enters the same computer.",
        remedy=REMEDY,
        look=_others,
    )
    yield Claim(
        id="admission-ephemeral",
        group=Group.ADMISSION,
        sentence="A running computer takes no debugging container.",
        reason="It is the one way to change what runs in a pod, and it goes around every rule about new pods.",
        method="With the operator's rights, by server-side dry run on a running computer.",
        control="Rakazo's own pod, without one, is accepted (claim admission-good).",
        remedy=REMEDY,
        look=_ephemeral,
    )


def _others(scene: Scene) -> Iterator[Evidence]:
    facts, message = scene.facts, filled(CREATOR, scene.facts)
    pod = scene.new_computer(NAME)
    answer = refusal(scene.pods(facts.computers), pod)
    control = f"Rakazo's account: {refusal(scene.computers, pod) or 'accepted'}"
    yield verdict("the operator makes a computer", answer, f"{facts.application}-computers", message, control)
    entered = scene.execute(Vantage.COMPUTER, ["true"])
    control = f"Rakazo's account: exec ended with {entered.exit_code}"
    core = client.CoreV1Api(scene.operator)
    for way, asked in CONNECTIONS.items():
        answer = tried(getattr(core, f"connect_get_namespaced_pod_{way}"), facts.computers, **asked)
        yield verdict(
            f"the operator: {way} to a computer", answer, f"{facts.application}-connections", message, control
        )


def tried(call: Callable[..., object], namespace: str, **asked: object) -> str | None:
    """Return the sentence with which the API server forbids a request to the computer; None for any other answer.

    Without the protocol that such a connection needs, one that is not forbidden fails a step later.
    """
    try:
        call(cast.NAMES[Vantage.COMPUTER], namespace, _request_timeout=SECONDS, **asked)
    except ApiException as error:
        return said(error) if error.status == FORBIDDEN else None
    return None


def _ephemeral(scene: Scene) -> Iterator[Evidence]:
    facts = scene.facts
    debugger = {"name": "debugger", "image": facts.image_computer}
    answer = tried(
        client.CoreV1Api(scene.operator).patch_namespaced_pod_ephemeralcontainers,
        facts.computers,
        body={"spec": {"ephemeralContainers": [debugger]}},
        dry_run="All",
    )
    control = f"Rakazo's own pod: {refusal(scene.computers, scene.new_computer(NAME)) or 'accepted'}"
    yield verdict(
        "the operator adds a debugging container",
        answer,
        f"{facts.application}-computers",
        filled(EPHEMERAL, facts),
        control,
    )
