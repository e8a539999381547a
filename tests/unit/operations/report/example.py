"""A verification that nobody ran, with claims in every state; all addresses are invented."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from probes.claim import Claim, Evidence, Group, Result, State
from probes.crossing import Crossing
from probes.facts import Facts
from probes.reach import Answer, Destination
from probes.vantage import Vantage
from probes.verification import Verification
from tests.unit.probes.example import changed

HOSTILE = "<script>alert(1)</script> & \"quoted\" 'too' {{ 7 * 7 }} -->"
"""What a page must show and a browser must not obey."""
LONG_ADDRESS = f"[{'fd12:3456:789a:' * 40}:1]:65535"
DIGEST = "sha256:" + "0123456789abcdef" * 4
COMPUTER, CONTROL, API, WEB = Vantage.COMPUTER, Vantage.CONTROL, Vantage.API, Vantage.WEB
STRANGERS = (CONTROL, Vantage.BYSTANDER, Vantage.IMPOSTOR, Vantage.STRAY)
POSTGRES = Destination(name="postgres by Service", address="10.43.7.9", port=5432)
SCREENS = tuple(Destination(name="a computer", address="10.42.1.21", port=port) for port in (6080, 6100, 6163))
KUBELETS = tuple(
    Destination(name=f"kubelet of node {node}", address=address, port=10250)
    for node, address in (("system", "10.10.0.11"), ("computers", "10.10.0.12"))
)
METADATA = Destination(name="metadata service", address="169.254.169.254", port=80)
AZURE = Destination(name="Azure wire server", address="168.63.129.16", port=80)
PRIVATE = Destination(name="a neighbour", address="10.99.0.10", port=80)
PRIVATE_DNS = replace(PRIVATE, port=53, datagram=b"?")
PRIVATE_PING = replace(PRIVATE, port=0)
OTHER_POD = Destination(name="a pod of another node", address="10.42.0.33", port=8080)


def stack() -> Facts:
    """Return the committed stack's facts with an invented name, ranges and images."""
    image = f"localhost/rakazo-stand-in/{{}}@{DIGEST}"
    return changed(
        context="rakazo-example",
        runtime="gvisor",
        runtime_class="rakazo-gvisor",
        pods=("10.42.0.0/16",),
        services=("10.43.0.0/16",),
        nodes=("10.10.0.0/24",),
        denied_ranges=("10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16"),
        image_app=image.format("app"),
        image_computer=image.format("computer"),
        image_postgres=image.format("postgres"),
        last_screen_port=6163,
    )


def claim(key: str, sentence: str, *crossings: Crossing, **changes: Any) -> Claim:
    """Return a claim whose group is the beginning of its id."""
    told = {
        "reason": "Whoever steers a computer must not reach further than the public web.",
        "method": "From inside a computer, by TCP and where it says so by UDP and ping.",
        "control": "A pod that no policy selects gets an answer from the same address.",
        "remedy": "Compare the policies with `kubectl get networkpolicies`, then run `pulumi up`.",
    }
    group = Group(key.partition("-")[0])
    return Claim(**({"id": key, "group": group, "sentence": sentence, "crossings": crossings} | told | changes))


def looked(key: str, sentence: str, *evidence: Evidence, **changes: Any) -> Result:
    """Return the result of a claim that has a look of its own."""
    return Result(claim=claim(key, sentence), evidence=evidence, **({"seconds": 1.4} | changes))


def evidence(subject: str, seen: str, holds: bool | None = True, control: str = "") -> Evidence:
    """Return one look; it held unless it says otherwise."""
    return Evidence(subject=subject, seen=seen, control=control, holds=holds)


def closed(sources: tuple[Vantage, ...], *targets: Destination, control: Vantage = CONTROL) -> list[Crossing]:
    """Return what must be closed, from everywhere to everywhere."""
    return [Crossing(source=s, target=t, open=False, control=control) for s in sources for t in targets]


def opened(sources: tuple[Vantage, ...], *targets: Destination) -> list[Crossing]:
    """Return what must be open."""
    return [Crossing(source=s, target=t, open=True) for s in sources for t in targets]


CROSSING_CLAIMS = (
    claim("out-metadata-link-local", "A computer does not reach the metadata service at 169.254.169.254.",
          *closed((COMPUTER,), METADATA)),
    claim("out-metadata-azure", "A computer does not reach the Azure wire server at 168.63.129.16.",
          *closed((COMPUTER,), AZURE)),
    claim("out-range-10.0.0.0/8", "A computer reaches nobody in 10.0.0.0/8.",
          *closed((COMPUTER,), PRIVATE, PRIVATE_DNS, PRIVATE_PING)),
    claim("out-node-kubelet", "A computer reaches no node's kubelet port.", *closed((COMPUTER,), *KUBELETS)),
    claim("out-pod-of-another-node", "A computer reaches no pod of another node.", *closed((COMPUTER,), OTHER_POD)),
    claim("out-postgres", "A computer does not reach postgres, by pod or by Service.",
          *closed((COMPUTER,), POSTGRES, control=API)),
    claim("out-application-metadata", "No service of the application reaches a metadata service.",
          *closed((API, Vantage.WORKER, WEB), METADATA)),
    claim("in-screens", "api, worker and web reach every screen of a computer.",
          *opened((API, Vantage.WORKER, WEB), *SCREENS)),
    claim("in-strangers", "Nobody else reaches a screen: no other pod, no pod with web's labels, no other computer.",
          *closed((*STRANGERS, COMPUTER), *SCREENS, control=API)),
    claim("in-postgres", "No pod but postgres's own clients reaches postgres.",
          *closed((*STRANGERS, WEB), POSTGRES, control=API)),
)  # fmt: skip
LEAKS = {(WEB, POSTGRES), (COMPUTER, PRIVATE_DNS)}
"""What is open in the example and must not be."""
ABSENT = {AZURE, PRIVATE_PING}
"""What answers nobody."""


def answers() -> dict[tuple[Vantage, Destination], Answer]:
    """Return what a survey of the example found."""
    crossings = [each for every in CROSSING_CLAIMS for each in every.crossings]
    may = {(each.source, each.target) for each in crossings if each.open}
    may |= {(each.control, each.target) for each in crossings if each.control is not None}
    return {
        (source, target): Answer.OPEN if ((source, target) in may | LEAKS and target not in ABSENT) else Answer.SILENT
        for each in crossings
        for source, target in each.attempts()
    }


def looks() -> Iterator[Result]:
    """Yield results of claims that are no crossings."""
    pod = "a computer"
    yield looked("kernel-runtime", "A computer's kernel is gVisor's.", evidence(pod, "Starting gVisor"))
    yield looked("placement-pool", "A computer runs on the computers' nodes.", evidence(pod, "node computers"))
    yield looked(
        "out-dns-public",
        "A computer resolves a public name, over UDP and TCP.",
        evidence("a computer → example.com by UDP, port 53", "1 answers", control=f"{CONTROL}: 1 answers"),
    )
    yield looked(
        "out-public-web",
        "A computer reaches the public web by name, over HTTP and HTTPS.",
        evidence("a computer → http://example.com/", "HTTP status 200", control=f"{CONTROL}: HTTP status 200"),
    )
    yield looked(
        "out-range-100.64.0.0/10",
        "A computer reaches nobody in 100.64.0.0/10.",
        evidence(
            "a computer → 100.64.0.0/10",
            "no listener in this range is known; write one under proof.neighbours, such as 10.0.0.5:443",
            None,
        ),
        seconds=0.0,
    )
    yield looked(
        "birth-denied",
        "A new computer reaches nothing denied, from its first instruction on.",
        evidence(
            "8 new computers → a neighbour (10.99.0.10:80)",
            "0 of 912 connections got through",
            control=f"{CONTROL}: 114 of 114",
        ),
        seconds=19.8,
    )
    yield looked("identity-token", "A computer holds no token.", evidence(pod, "no token is mounted"))
    yield looked(
        "identity-verbs",
        "api and worker may do exactly five things, and only with computers.",
        evidence("create pods in rakazo-sandboxes", "allowed"),
        evidence("list secrets in rakazo", "refused"),
    )
    yield looked(
        "admission-host-network",
        "A pod with the node's network is refused.",
        evidence("hostNetwork: true", "refused: it names the node's network", control="a good pod: accepted"),
    )
    yield looked(
        "admission-image",
        "A pod with another image is refused.",
        evidence("image: example.test/other", "accepted, and must be refused", False, "a good pod: accepted"),
    )
    yield looked(
        "limits-memory",
        "A computer that takes more memory than it has is stopped.",
        evidence(pod, "stopped with exit code 137"),
        evidence("its neighbour", "answers"),
        seconds=8.1,
    )
    yield looked(
        "limits-pids",
        "A computer that starts more processes than it may is stopped.",
        evidence(pod, "gVisor has no limit of processes of its own", None),
    )
    yield looked(
        "limits-storage",
        "A computer that fills its disk is stopped.",
        error="PodError: the computer's pod was deleted by somebody else while its disk filled",
        seconds=30.0,
    )
    yield looked("secrets-pods", "No secret value is in any pod's specification.", evidence("11 pods", "none"))
    yield looked("application-health", "The application says that it is well.", evidence("GET /health", "status ok"))


def example(**changes: Any) -> Verification:
    """Return the whole example; keywords replace fields of the verification."""
    found = answers()
    crossing = [
        Result(claim=each, evidence=tuple(crossing.judge(found) for crossing in each.crossings))
        for each in CROSSING_CLAIMS
    ]
    order = list(Group)
    results = sorted([*looks(), *crossing], key=lambda each: order.index(each.claim.group))
    known: dict[str, Any] = {
        "facts": stack(),
        "results": tuple(results),
        "began": dt.datetime(2026, 11, 29, 22, 14, 3, 517, tzinfo=dt.UTC),
        "seconds": 71.26,
        "server_version": "v1.36.3",
        "nodes": (("system", "v1.36.3", "containerd://2.2.1"), ("computers", "v1.36.3", "containerd://2.2.1")),
        "answers": tuple((vantage, target, answer) for (vantage, target), answer in found.items()),
    }
    return Verification(**(known | changes))


def proven() -> Verification:
    """Return the example without what failed or broke."""
    good = (State.PROVEN, State.UNPROVABLE)
    whole = example()
    return example(
        results=tuple(each for each in whole.results if each.state in good),
        answers=tuple(each for each in whole.answers if each[:2] not in LEAKS),
    )


def hostile(number: int) -> Verification:
    """Return a verification of so many claims with hostile sentences and addresses without an end; ten of them fail."""
    results = tuple(
        looked(
            f"out-range-{index}.0.0.0/8",
            f"Sentence {index} {HOSTILE}",
            evidence(f"a → b ({LONG_ADDRESS})", HOSTILE, index >= 10),
        )
        for index in range(number)
    )
    return example(results=results)
