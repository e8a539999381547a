"""Pods that are a computer but for one thing, each with the sentence that refuses it.

The sentences are written out, not rendered: a rule whose text is changed has to be looked at here once more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Pod = dict[str, Any]

STRANGER = "stranger"
"""A service account of the computers' namespace; the API server refuses one that does not exist before any rule."""
WAIT_CONTAINER = "network-policy-wait"
"""The init container that the mutating admission policy puts in front of all others."""


@dataclass(frozen=True, kw_only=True)
class BadPod:
    """What is done to a good pod, and what is said about it."""

    spoil: Callable[[Pod], object]
    message: str
    """With `{image}` and `{runtime_class}` of the stack."""


CREATOR = "only Rakazo's api and worker may create computers or connect to them (users: {user})"
WAIT = "a computer must start behind the init container network-policy-wait, which the mutating admission policy adds"
EPHEMERAL = "a computer takes no ephemeral containers"
BESIDE = (CREATOR, WAIT, EPHEMERAL)
"""Sentences that no new pod of Rakazo's can earn: about who asks, a missing policy, and a pod that runs already."""

NODE = "a computer must not choose its node: "


def container(pod: Pod) -> dict[str, Any]:
    """The one container."""
    only: dict[str, Any] = pod["spec"]["containers"][0]
    return only


def with_first_steps(pod: Pod, **security: Any) -> None:
    """Give the pod an init container of Rakazo's own, which is judged as the computer itself."""
    good = container(pod)
    pod["spec"]["initContainers"] = [
        {**good, "name": "first-steps", "securityContext": {**good["securityContext"], **security}}
    ]


def _of_pod(message: str, **fields: Any) -> BadPod:
    return BadPod(spoil=lambda pod: pod["spec"].update(fields), message=message)


def _of_container(message: str, **fields: Any) -> BadPod:
    return BadPod(spoil=lambda pod: container(pod).update(fields), message=message)


def _of_privileges(message: str, **fields: Any) -> BadPod:
    return BadPod(spoil=lambda pod: container(pod)["securityContext"].update(fields), message=message)


def _of_first_steps(message: str, **security: Any) -> BadPod:
    return BadPod(spoil=lambda pod: with_first_steps(pod, **security), message=message)


def _projected(**source: Any) -> list[dict[str, Any]]:
    return [{"name": "projected", "projected": {"sources": [source]}}]


_TOKEN = "a computer must not hold a service account token: automountServiceAccountToken: false"  # noqa: S105 - words
_VOLUMES = "a computer takes no volumes but emptyDir"
_CAPABILITIES = "a computer must drop all capabilities: capabilities.drop: [ALL]"
_ADDED = "a computer must not add capabilities"
_GAIN = "a computer must not gain privileges: allowPrivilegeEscalation: false"
_ROOT = "a computer must not run as root: runAsUser"
_DEVICES = "a computer takes nothing of its node but the cpu, memory and ephemeral-storage of its containers"
_ALONE = {
    "requiredDuringSchedulingIgnoredDuringExecution": [
        {"topologyKey": "kubernetes.io/hostname", "labelSelector": {}, "namespaceSelector": {}}
    ]
}
_CALLS = "a computer must not have its node call another host: probes and lifecycle hooks with host"
_METADATA = {"host": "169.254.169.254", "port": 80}
_SECCOMP = "a computer must not call every function of the kernel: seccompProfile: RuntimeDefault"
_TOLERATIONS = f"{NODE}tolerations come from its runtime class"

KINDS: dict[str, dict[str, BadPod]] = {
    "isolation": {
        "no runtime class": BadPod(
            spoil=lambda pod: pod["spec"].pop("runtimeClassName"),
            message="a computer must have runtimeClassName: {runtime_class}",
        )
    },
    "image": {
        "an image by tag": _of_container(
            "a computer's image must be pinned: name@sha256:<64 hex digits>",
            image="localhost/rakazo-stand-in/computer:latest",
        ),
        "another image": _of_container(
            "a computer must run the configured image {image}",
            image=f"localhost/rakazo-stand-in/computer@sha256:{'f' * 64}",
        ),
    },
    "identity": {
        "another service account": _of_pod(
            "a computer must use the service account default, which has no rights", serviceAccountName=STRANGER
        ),
        "the account's token": _of_pod(_TOKEN, automountServiceAccountToken=True),
        "a token of its own": _of_pod(_TOKEN, volumes=_projected(serviceAccountToken={"path": "token"})),
    },
    "host": {
        "the host's network": _of_pod("a computer must not share its node's namespaces: hostNetwork", hostNetwork=True),
        "the host's processes": _of_pod("a computer must not share its node's namespaces: hostPID", hostPID=True),
        "the host's shared memory": _of_pod("a computer must not share its node's namespaces: hostIPC", hostIPC=True),
        "the host's files": _of_pod(
            "a computer must not mount its node's files: hostPath",
            volumes=[{"name": "root", "hostPath": {"path": "/"}}],
        ),
        "a Secret": _of_pod(_VOLUMES, volumes=[{"name": "secret", "secret": {"secretName": "rakazo-secrets-api"}}]),
        "a projected Secret": _of_pod(_VOLUMES, volumes=_projected(secret={"name": "rakazo-secrets-api"})),
        "a claim of storage": _of_pod(
            _VOLUMES, volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "rakazo-data"}}]
        ),
        "a port of the host": _of_container(
            "a computer must not take a port of its node: hostPort", ports=[{"containerPort": 6080, "hostPort": 6080}]
        ),
        "a probe that asks another host": _of_container(_CALLS, livenessProbe={"httpGet": _METADATA}),
        "a probe that dials another host": _of_container(_CALLS, readinessProbe={"tcpSocket": _METADATA}),
        "a hook that asks another host": _of_container(_CALLS, lifecycle={"postStart": {"httpGet": _METADATA}}),
        "a device of the host": _of_container(_DEVICES, resources={"limits": {"devices.kubevirt.io/kvm": "1"}}),
        "large pages of the host": _of_container(_DEVICES, resources={"limits": {"hugepages-2Mi": "2Mi"}}),
    },
    "privileges": {
        "a privileged container": _of_container(
            "a computer must not be privileged", securityContext={"privileged": True, "capabilities": {"drop": ["ALL"]}}
        ),
        "an added capability": _of_privileges(_ADDED, capabilities={"add": ["NET_RAW"], "drop": ["ALL"]}),
        "an init container with a capability": _of_first_steps(
            _ADDED, capabilities={"add": ["NET_RAW"], "drop": ["ALL"]}
        ),
        "the usual capabilities": _of_privileges(_CAPABILITIES, capabilities={}),
        "all capabilities but one": _of_privileges(_CAPABILITIES, capabilities={"drop": ["NET_RAW"]}),
        "privileges to gain": _of_privileges(_GAIN, allowPrivilegeEscalation=True),
        "privileges that are not mentioned": _of_privileges(_GAIN, allowPrivilegeEscalation=None),
        "root": _of_privileges(_ROOT, runAsUser=0),
        "root for the whole pod": _of_pod(_ROOT, securityContext={"runAsUser": 0}),
        "an init container as root": _of_first_steps(_ROOT, runAsUser=0),
        "every call of the kernel": _of_privileges(_SECCOMP, seccompProfile={"type": "Unconfined"}),
        "calls of the kernel that are not mentioned": _of_privileges(_SECCOMP, seccompProfile=None),
    },
    "placement": {
        "a node by name": _of_pod(f"{NODE}nodeName goes around the scheduler", nodeName="system"),
        "a node by label": _of_pod(
            f"{NODE}nodeSelector comes from its runtime class", nodeSelector={"kubernetes.io/os": "linux"}
        ),
        "any node": _of_pod(_TOLERATIONS, tolerations=[{"operator": "Exists"}]),
        "a tainted node": _of_pod(_TOLERATIONS, tolerations=[{"key": "node-role", "operator": "Exists"}]),
        "a node that no other pod may use": _of_pod(
            f"{NODE}affinity, which keeps other pods off nodes too", affinity={"podAntiAffinity": _ALONE}
        ),
        "the priority of the cluster's own": _of_pod(
            "a computer must not push other pods off a node: priorityClassName",
            priorityClassName="system-node-critical",
        ),
    },
}
"""By what the rule that refuses them is about."""

BAD_PODS: dict[str, BadPod] = {case: bad for cases in KINDS.values() for case, bad in cases.items()}
