"""One run over all claims: used by `rakazo-infra verify` and by the gate inside `pulumi up` alike."""

import contextlib
import datetime as dt
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from types import MappingProxyType

from kubernetes import client
from kubernetes.client.exceptions import ApiException
from urllib3.exceptions import HTTPError

from probes.claim import Claim, Evidence, Group, Result, State, chosen
from probes.claims import every_claim
from probes.crossing import Answers, Crossing
from probes.docker.facts import DockerFacts
from probes.facts import Facts
from probes.pods import said
from probes.prober import ProbeError, Prober
from probes.reach import Answer, Destination
from probes.scene import Scene
from probes.settling import settled
from probes.stage import Stage
from probes.survey import survey
from probes.vantage import Vantage

AT_ONCE = 10
"""Looks at the same time: each waits for pods and API server more than it works."""
LONGEST = (Group.LIMITS, Group.BIRTH, Group.APPLICATION)
"""Groups whose looks begin first, because they wait longest: the kubelet looks at disks every ten seconds."""

CHANGED = "its pod changed during the run, or was not ready when it began"


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What one run found."""

    facts: Facts | DockerFacts
    results: tuple[Result, ...]
    began: dt.datetime
    seconds: float
    server_version: str
    """Of the Kubernetes API server, `v1.36.3`, or of Docker Engine, `28.5.2`."""
    nodes: tuple[tuple[str, str, str], ...]
    """Name, kubelet version and container runtime of every node; of a machine with Docker its engine and runtime."""
    answers: tuple[tuple[Vantage, Destination, Answer], ...]
    """All that was tried, for the picture of who may talk to whom."""

    def of_state(self, state: State) -> list[Result]:
        """Return the results with this state."""
        return [each for each in self.results if each.state is state]

    @property
    def failed(self) -> list[Result]:
        """Claims that do not hold."""
        return self.of_state(State.FAILED)

    @property
    def unchecked(self) -> list[Result]:
        """Claims whose probe broke."""
        return self.of_state(State.UNCHECKED)


Tell = Callable[[str], None]


def verify(
    operator: client.ApiClient,
    facts: Facts,
    *,
    only: Collection[str] = (),
    documents: Mapping[str, str] = MappingProxyType({}),
    tell: Tell = lambda _line: None,
) -> Verification:
    """Prove the chosen claims, all by default, and leave nothing behind, also when interrupted.

    `documents` are texts, by name, in which no secret of the stack may be found, such as its state. `tell` is called
    with one line at each step. ValueError for an unknown claim, StageError when the namespace of
    the verification cannot be had, ApiException when the operator lacks a right.
    """
    began, start = dt.datetime.now(dt.UTC), time.monotonic()
    around = settled(operator, facts, tell)
    wanted = {claim.id for claim in chosen(every_claim(facts, around), only)}
    run = secrets.token_hex(4)
    stage = Stage(operator, facts, run, tell)
    try:
        with stage:
            scene = Scene(operator, facts, around, run, documents)
            tell("starting pods: two computers, and those that must not reach them")
            scene.start()
            for vantage, reason in scene.missing.items():
                tell(f"{vantage} is missing: {reason}")
            claims = [claim for claim in every_claim(facts, scene.around) if claim.id in wanted]
            results, answers = prove(scene, claims, tell)
            tell("removing the pods")
    except KeyboardInterrupt:
        stage.leave()
        raise
    return Verification(
        facts=facts,
        results=tuple(results),
        began=began,
        seconds=time.monotonic() - start,
        server_version=str(client.VersionApi(operator).get_code().git_version),
        nodes=tuple(_nodes(operator)),
        answers=tuple((vantage, target, answer) for (vantage, target), answer in answers.items()),
    )


def prove(
    scene: Prober, claims: Iterable[Claim], tell: Tell = lambda _line: None
) -> tuple[list[Result], dict[tuple[Vantage, Destination], Answer]]:
    """Return a result per claim in the claims' order, and every answer of the survey."""
    listed = list(claims)
    crossing = [claim for claim in listed if claim.crossings]
    together = [claim for claim in listed if claim.look is not None and not claim.alone]
    together.sort(key=lambda claim: claim.group not in LONGEST)
    answers: dict[tuple[Vantage, Destination], Answer] = {}
    found: dict[str, Result] = {}

    def note(result: Result) -> None:
        found[result.claim.id] = result
        tell(f"{result.claim.id}: {result.state}" + (f": {result.cause}" if result.cause else ""))

    with _left_at_once(scene) as pool:
        crossings = [each for claim in crossing for each in claim.crossings]
        tell(f"trying {len({a for c in crossings for a in c.attempts()})} connections")
        looking = pool.submit(survey, scene, crossings)
        looks = [pool.submit(look, scene, claim) for claim in together]
        for done in as_completed(looks):
            note(done.result())
        error = ""
        try:
            answers = looking.result()
        except (ProbeError, ApiException, HTTPError, OSError) as broken:
            error = said(broken)
        unwitnessed = {} if error else _unwitnessed(scene, crossings)
        for claim in crossing:
            note(_judged(scene, claim, answers, unwitnessed, error))
    for claim in listed:
        if claim.look is not None and claim.alone:
            note(look(scene, claim))
        elif claim.look is None and not claim.crossings:
            note(Result(claim=claim))
    return [found[claim.id] for claim in listed], answers


@contextlib.contextmanager
def _left_at_once(scene: Prober) -> Iterator[ThreadPoolExecutor]:
    """Give a pool that an interruption does not wait for: its looks end when their pods are removed."""
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        yield pool
    except BaseException:
        scene.closing.set()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def look(scene: Prober, claim: Claim) -> Result:
    """Return what a claim's own look found; what was found before it broke is kept."""
    start, error = time.monotonic(), ""
    evidence: list[Evidence] = []
    try:
        evidence.extend(claim.look(scene) if claim.look is not None else ())
    except (ProbeError, ApiException, HTTPError, OSError, ValueError, LookupError) as broken:
        error = f"{type(broken).__name__}: {said(broken)}"
    return Result(claim=claim, evidence=tuple(evidence), error=error, seconds=time.monotonic() - start)


def _unwitnessed(scene: Prober, crossings: Iterable[Crossing]) -> Mapping[str, str]:
    """Return the addresses at which no witness counts, and why.

    Those are all when nobody can say; the survey's answers are kept, since what was open is open.
    """
    witnessed = [each.target.address for each in crossings if each.witness]
    try:
        return dict.fromkeys(scene.unwitnessed() if witnessed else (), CHANGED)
    except (ProbeError, ApiException, HTTPError, OSError) as broken:
        return dict.fromkeys(witnessed, f"whether its pod is still the same could not be asked: {said(broken)}")


def _judged(scene: Prober, claim: Claim, answers: Answers, unwitnessed: Mapping[str, str], error: str) -> Result:
    if error:
        return Result(claim=claim, error=error)
    gone = {vantage for each in claim.crossings for vantage in _of(each) if vantage in scene.missing}
    reasons = [f"{vantage}: {scene.missing[vantage]}" for vantage in sorted(gone)]
    # That is not "not provable here": once the pod is at rest, another run can prove it.
    lost = ((each.target.name, each.lost(unwitnessed)) for each in claim.crossings)
    reasons += dict.fromkeys(f"{name}: {why}" for name, why in lost if why)
    evidence = tuple(each.judge(answers, unwitnessed) for each in claim.crossings)
    return Result(claim=claim, evidence=evidence, error="; ".join(reasons))


def _of(crossing: Crossing) -> Iterable[Vantage]:
    return (vantage for vantage, _ in crossing.attempts())


def _nodes(operator: client.ApiClient) -> Iterable[tuple[str, str, str]]:
    for node in client.CoreV1Api(operator).list_node().items:
        info = node.status.node_info
        yield node.metadata.name, info.kubelet_version, info.container_runtime_version
