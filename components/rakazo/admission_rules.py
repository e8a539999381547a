"""What a computer's pod must be: one CEL expression and one message per rule.

The rules see a pod after every mutation, so also what Kubernetes itself and the start-up wait added to it.
The API server reports the first rule that fails, so the order goes from who to what to how.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from components.contracts import Sandbox

ADDED_TAINTS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
"""Kubernetes tolerates these for every pod, for five minutes."""
AMOUNTS = ["cpu", "memory", "ephemeral-storage"]
"""Whatever else a container can ask for by number is a device, or memory of a kind of which a node has few pieces."""

VARIABLES = {
    "containers": "object.spec.containers + object.spec.?initContainers.orValue([])",
    "volumes": "object.spec.?volumes.orValue([])",
}
BESIDE_EACH = ("scheduling.k8s.io/v1", "PriorityClass")
"""API version and kind of what `params` is: the rules have to hold for each of the cluster's classes in turn.

The cluster's default class is written into every pod that names none, and nothing in such a pod tells it from a class
that somebody chose. Two classes of Kubernetes' own are always there.
"""
SPEC_CHANGES = 'request.operation == "CREATE" || object.spec != oldObject.spec'
"""Labels, finalizers and the like may change on a pod of an older release without being judged anew."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """An expression that holds for a good pod, and what is said about any other."""

    expression: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What the rules compare a pod with."""

    sandbox: Sandbox
    computer_image: str
    """`name@sha256:<64 hex>`."""
    creators: Sequence[str]
    """User names that may create computers."""
    first_init_container: str | None
    """Name of the start-up wait, or None on a cluster that cannot add it."""


def render_rules(expected: Expected) -> Iterator[Rule]:
    """Every rule, in the order in which they are reported."""
    yield from _who(expected)
    yield from _isolation(expected)
    yield from _images(expected)
    yield from _identity()
    yield from _host()
    yield from _devices()
    yield from _privileges()
    yield from _placement(expected)


def render_creator(creators: Sequence[str]) -> Rule:
    """Only these users; what they do is not looked at."""
    return Rule(
        expression=f"request.userInfo.username in {quote(list(creators))}",
        message=f"only Rakazo's api and worker may create computers or connect to them (users: {', '.join(creators)})",
    )


def _who(expected: Expected) -> Iterator[Rule]:
    rule = render_creator(expected.creators)
    yield Rule(expression=f'request.operation != "CREATE" || {rule.expression}', message=rule.message)


def _isolation(expected: Expected) -> Iterator[Rule]:
    runtime_class = expected.sandbox.runtime_class
    yield Rule(
        expression=f'object.spec.?runtimeClassName.orValue("") == {quote(runtime_class)}',
        message=f"a computer must have runtimeClassName: {runtime_class}",
    )
    if expected.first_init_container is not None:
        first = quote(expected.first_init_container)
        yield Rule(
            expression=f"object.spec.?initContainers.orValue([]).size() > 0 && "
            f"object.spec.initContainers[0].name == {first}",
            message=f"a computer must start behind the init container {expected.first_init_container}, "
            "which the mutating admission policy adds",
        )


def _images(expected: Expected) -> Iterator[Rule]:
    yield Rule(
        expression='variables.containers.all(c, c.image.matches("@sha256:[0-9a-f]{64}$"))',
        message="a computer's image must be pinned: name@sha256:<64 hex digits>",
    )
    yield Rule(
        expression=f"variables.containers.all(c, c.image == {quote(expected.computer_image)})",
        message=f"a computer must run the configured image {expected.computer_image}",
    )
    yield Rule(
        expression="object.spec.?ephemeralContainers.orValue([]).size() == 0",
        message="a computer takes no ephemeral containers",
    )


def _identity() -> Iterator[Rule]:
    yield Rule(
        expression='object.spec.?serviceAccountName.orValue("default") == "default"',
        message="a computer must use the service account default, which has no rights",
    )
    yield Rule(
        expression="variables.volumes.all(v, v.?projected.?sources.orValue([]).all(s, !has(s.serviceAccountToken)))",
        message="a computer must not hold a service account token: automountServiceAccountToken: false",
    )


def _host() -> Iterator[Rule]:
    for name in ("hostNetwork", "hostPID", "hostIPC"):
        yield Rule(
            expression=f"!object.spec.?{name}.orValue(false)",
            message=f"a computer must not share its node's namespaces: {name}",
        )
    yield Rule(
        expression="variables.volumes.all(v, !has(v.hostPath))",
        message="a computer must not mount its node's files: hostPath",
    )
    yield Rule(
        expression="variables.volumes.all(v, has(v.emptyDir))",
        message="a computer takes no volumes but emptyDir",
    )
    yield Rule(
        expression="variables.containers.all(c, c.?ports.orValue([]).all(p, p.?hostPort.orValue(0) == 0))",
        message="a computer must not take a port of its node: hostPort",
    )
    # The kubelet calls it, from the node, around every network policy; Pod Security looks at it from 1.34 on.
    yield Rule(
        expression="variables.containers.all(c, [c.?livenessProbe, c.?readinessProbe, c.?startupProbe, "
        "c.?lifecycle.?postStart, c.?lifecycle.?preStop].all(h, "
        'h.?httpGet.?host.orValue("") == "" && h.?tcpSocket.?host.orValue("") == ""))',
        message="a computer must not have its node call another host: probes and lifecycle hooks with host",
    )


def _devices() -> Iterator[Rule]:
    yield Rule(
        expression="variables.containers.all(c, [c.?resources.?limits, c.?resources.?requests].all(amounts, "
        f"amounts.orValue({{}}).all(kind, kind in {quote(AMOUNTS)}))) && "
        "object.spec.?resourceClaims.orValue([]).size() == 0 && !has(object.spec.resources)",
        message="a computer takes nothing of its node but the cpu, memory and ephemeral-storage of its containers",
    )


def _privileges() -> Iterator[Rule]:
    yield Rule(
        expression="variables.containers.all(c, !c.?securityContext.?privileged.orValue(false))",
        message="a computer must not be privileged",
    )
    yield Rule(
        expression="variables.containers.all(c, c.?securityContext.?capabilities.?add.orValue([]).size() == 0)",
        message="a computer must not add capabilities",
    )
    yield Rule(
        expression='variables.containers.all(c, "ALL" in c.?securityContext.?capabilities.?drop.orValue([]))',
        message="a computer must drop all capabilities: capabilities.drop: [ALL]",
    )
    yield Rule(
        expression="variables.containers.all(c, !c.?securityContext.?allowPrivilegeEscalation.orValue(true))",
        message="a computer must not gain privileges: allowPrivilegeEscalation: false",
    )
    yield Rule(
        expression="object.spec.?securityContext.?runAsUser.orValue(1) != 0 && "
        "variables.containers.all(c, c.?securityContext.?runAsUser.orValue(1) != 0)",
        message="a computer must not run as root: runAsUser",
    )
    # Pod Security takes a pod that names none, and under runc that is none.
    yield Rule(
        expression="variables.containers.all(c, c.?securityContext.?seccompProfile.?type.orValue("
        'object.spec.?securityContext.?seccompProfile.?type.orValue("")) == "RuntimeDefault")',
        message="a computer must not call every function of the kernel: seccompProfile: RuntimeDefault",
    )


def _placement(expected: Expected) -> Iterator[Rule]:
    yield Rule(
        expression='request.operation != "CREATE" || object.spec.?nodeName.orValue("") == ""',
        message="a computer must not choose its node: nodeName goes around the scheduler",
    )
    labels = dict(expected.sandbox.node_labels)
    yield Rule(
        expression=f"object.spec.?nodeSelector.orValue({{}}) == {quote(labels)}",
        message="a computer must not choose its node: nodeSelector comes from its runtime class",
    )
    taints = [*ADDED_TAINTS, *expected.sandbox.taints]
    yield Rule(
        expression='object.spec.?tolerations.orValue([]).all(t, t.?key.orValue("") in ' + quote(taints) + ")",
        message="a computer must not choose its node: tolerations come from its runtime class",
    )
    yield Rule(
        expression="!has(object.spec.affinity)",
        message="a computer must not choose its node: affinity, which keeps other pods off nodes too",
    )
    yield Rule(
        expression='object.spec.?priorityClassName.orValue("") != params.metadata.name || '
        "params.?globalDefault.orValue(false)",
        message="a computer must not push other pods off a node: priorityClassName",
    )


def quote(value: str | list[str] | dict[str, str]) -> str:
    """Write text, a list or a map of text as a CEL literal: JSON's escapes are a subset of CEL's."""
    return json.dumps(value)
