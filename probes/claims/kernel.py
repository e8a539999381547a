"""Which kernel computers run on: what it says of itself, not what their RuntimeClass is called."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from kubernetes import client

from probes import kernel
from probes.claim import Claim, Evidence, Group
from probes.facts import Facts
from probes.pods import PodError
from probes.scene import Scene
from probes.vantage import Vantage
from probes.whereabouts import kernels, pod_of, pods_in
from stacks.runtime import NOT_GVISOR

REASON = "A program that breaks out of a container is stopped by the kernel under it, and by nothing else."
REMEDIES = {
    "gvisor": "Let runtime.handler name the handler under which the nodes' containerd knows gVisor, and look on the "
    "node: `containerd config dump` must show that handler with runtime_type io.containerd.runsc.v1.",
    "kata": "Let runtime.handler, or runtime.shim where the stack installs Kata, name the handler under which the "
    "nodes' containerd knows it, and look on the node: /dev/kvm must open, and `containerd config dump` must show that "
    "handler with a runtime_type of Kata.",
    "runc": "The settings say runtime.kind: runc. Write runtime.kind: gvisor when computers are to have a kernel of "
    "their own; else point the RuntimeClass back to the handler runc with `pulumi up --refresh`.",
}

KERNELS = {
    "gvisor": "gVisor's own",
    "kata": "a virtual machine's own",
    "runc": "its node's own, as the settings say",
}


def claims(facts: Facts) -> Iterator[Claim]:
    """Claims about the runtime."""
    runtime = KERNELS[facts.runtime]
    also = f", and its boot id ({kernel.BOOT_ID})" if facts.runtime == "kata" else ""
    yield Claim(
        id="kernel-runtime",
        group=Group.KERNEL,
        sentence=f"The kernel under a computer is {runtime}.",
        reason=REASON,
        method=f"From inside computers: the kernel's own log (`dmesg`) and release (`uname -r`){also}.",
        control="The same two commands in a pod of the cluster's ordinary runtime show the kernel of its node.",
        remedy=REMEDIES[facts.runtime],
        look=_runtime,
    )
    yield Claim(
        id="kernel-class",
        group=Group.KERNEL,
        sentence=f"Every computer names the RuntimeClass {facts.runtime_class}, and its handler is {facts.runtime}'s.",
        reason="The class decides which kernel a computer gets and on which nodes; one without it gets the cluster's "
        "default.",
        method="The class and every pod of the computers' namespace are read from the API server.",
        control="None: what the handler really is, only kernel-runtime can tell.",
        remedy=f"`kubectl get runtimeclass {facts.runtime_class} -o yaml`, and `pulumi up --refresh` to write it anew; "
        "then stop the computers that name another class, in Rakazo.",
        look=_class,
    )


def _runtime(scene: Scene) -> Iterator[Evidence]:
    """Look into both computers, which may be on different nodes."""
    releases, handler = kernels(scene), _handler(scene)
    control = _ordinary(scene, releases)
    for vantage in (Vantage.COMPUTER, Vantage.NEIGHBOUR):
        if vantage in scene.missing and vantage is not Vantage.COMPUTER:
            continue
        log, release = scene.execute(vantage, ["dmesg"]).output, _release(scene, vantage)
        node = str(pod_of(scene, vantage).spec.node_name)
        wrong = kernel.fault(scene.facts.runtime, log)
        wrong = wrong or kernel.release_fault(scene.facts.runtime, release, releases[node].release)
        if scene.facts.runtime == "kata":
            wrong = wrong or kernel.boot_fault(_boot(scene, vantage), releases[node].boot)
        yield Evidence(
            subject=f"{vantage} on node {node}, RuntimeClass {scene.facts.runtime_class} with handler {handler}",
            seen=wrong or f"kernel {release}; dmesg says: {kernel.first_line(log)}",
            control=control,
            holds=wrong is None,
        )


def _ordinary(scene: Scene, releases: Mapping[str, kernel.NodeKernel]) -> str:
    """Return what a pod of the ordinary runtime says of its kernel: gVisor there would make the look worthless."""
    log, release = scene.execute(Vantage.BYSTANDER, ["dmesg"]).output, _release(scene, Vantage.BYSTANDER)
    node = str(pod_of(scene, Vantage.BYSTANDER).spec.node_name)
    if kernel.fault("runc", log) or kernel.release_fault("runc", release, releases[node].release):
        raise PodError(
            f"{Vantage.BYSTANDER} (node {node}) is no control: its kernel is {release}, its node's "
            f"{releases[node].release}; does the cluster's default runtime isolate it too?"
        )
    return f"{Vantage.BYSTANDER}, on node {node}: kernel {release}, the node's own"


def _class(scene: Scene) -> Iterator[Evidence]:
    facts, handler = scene.facts, _handler(scene)
    fits = belongs(handler, facts.runtime)
    yield Evidence(subject=f"RuntimeClass {facts.runtime_class}", seen=f"handler {handler}", holds=fits)
    named = {pod.metadata.name: pod.spec.runtime_class_name for pod in pods_in(scene, facts.computers)}
    others = {name: given for name, given in named.items() if given != facts.runtime_class}
    for name, given in sorted(others.items()):
        yield Evidence(subject=f"computer {name}", seen=f"names {given or 'no RuntimeClass'}", holds=False)
    if named and not others:
        yield Evidence(subject=f"{len(named)} computers", seen="all name it", holds=True)


def belongs(handler: str, runtime: kernel.Runtime) -> bool:
    """Whether a handler can be the runtime's, by its name. gVisor's and Kata's are what the operator called them."""
    match runtime:
        case "gvisor":
            return handler.partition("-")[0] not in NOT_GVISOR
        case "kata":
            return handler.startswith("kata")
        case "runc":
            return handler == "runc"
        case _:
            assert_never(runtime)


def _boot(scene: Scene, vantage: Vantage) -> str:
    return scene.execute(vantage, ["cat", kernel.BOOT_ID]).output.strip()


def _release(scene: Scene, vantage: Vantage) -> str:
    return scene.execute(vantage, ["uname", "-r"]).output.strip()


def _handler(scene: Scene) -> str:
    return str(client.NodeV1Api(scene.operator).read_runtime_class(scene.facts.runtime_class).handler)
