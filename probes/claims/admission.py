"""What the API server lets into the computers' namespace, asked by dry run: Rakazo's own pod and nothing else."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

from probes.bad_pods import KINDS, BadPod
from probes.claim import Claim, Evidence, Group
from probes.claims.admission_verdict import filled, verdict
from probes.claims.dry_run import NAME, refusal
from probes.facts import Facts
from probes.scene import Scene

AT_ONCE = 8
PODS = {
    "isolation": "without the isolating runtime class",
    "image": "with another image than the configured one",
    "identity": "with a token or an account of its own",
    "host": "with anything of its node or of somebody's storage",
    "privileges": "with privileges",
    "placement": "that chooses its node or pushes others off it",
}
"""What each kind of rule refuses."""
REASONS = {
    "isolation": "Without it a computer is an ordinary container on the node's own kernel.",
    "image": "Another image is another program, and a tag can be moved to one.",
    "identity": "A token is an identity that whoever steers the computer can use from anywhere.",
    "host": "The node's network, processes and files are behind every other lock.",
    "privileges": "Root and capabilities are what a way out of a container begins with.",
    "placement": "On a node of the cluster's own a way out would reach its control plane.",
}
REMEDY = (
    "Compare `kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings -o yaml` with what `pulumi "
    "preview --diff` shows, and look at the label pod-security.kubernetes.io/enforce of the computers' namespace; "
    "`pulumi up --refresh` writes them anew."
)


def claims(_facts: Facts) -> Iterator[Claim]:
    """One claim per kind of rule, with every pod that it must refuse."""
    for kind, cases in KINDS.items():
        yield _of_kind(kind, cases)


def _of_kind(kind: str, cases: Mapping[str, BadPod]) -> Claim:
    def look(scene: Scene) -> Iterator[Evidence]:
        pods, facts = scene.computers, scene.facts

        def answer(bad: BadPod) -> str | None:
            pod = scene.new_computer(NAME)
            bad.spoil(pod)
            return refusal(pods, pod)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            good = pool.submit(refusal, pods, scene.new_computer(NAME))
            answers = list(pool.map(answer, cases.values()))
        control = f"the same pod without it: {good.result() or 'accepted'}"
        for (case, bad), said in zip(cases.items(), answers, strict=True):
            message = filled(bad.message, facts)
            yield verdict(f"a pod with {case}", said, f"{facts.application}-computers", message, control)

    return Claim(
        id=f"admission-{kind}",
        group=Group.ADMISSION,
        sentence=f"No computer can be made {PODS[kind]}.",
        reason=REASONS[kind],
        method="With Rakazo's own token, by server-side dry run: a pod of Rakazo's that is changed in this one thing.",
        control="The same pod without the change is accepted (claim admission-good).",
        remedy=REMEDY,
        look=look,
    )
