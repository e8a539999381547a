"""One run over all claims of a stack with Docker computers: used by `rakazo-infra verify` and by the gate alike."""

import datetime as dt
import secrets
import time
from collections.abc import Collection, Mapping
from types import MappingProxyType

from probes.claim import chosen
from probes.docker.claims import every_claim
from probes.docker.containers import Containers
from probes.docker.facts import DockerFacts
from probes.docker.runner import Runner
from probes.docker.scene import DockerScene, Outside
from probes.docker.stage import Stage
from probes.docker.surroundings import Around, look_around
from probes.vantage import Vantage
from probes.verification import Tell, Verification, prove

BOTH_FAMILIES = Around(cast={Vantage.COMPUTER: ("0.0.0.0", "::")})  # noqa: S104 - nobody listens there
"""As if computers had addresses of both families, so that every claim has its name."""


def verify_docker(
    machine: Runner,
    facts: DockerFacts,
    *,
    only: Collection[str] = (),
    documents: Mapping[str, str] = MappingProxyType({}),
    tell: Tell = lambda _line: None,
    outside: Outside | None = None,
) -> Verification:
    """Prove the chosen claims, all by default, and leave nothing behind on the machine, also when interrupted.

    `documents` are texts, by name, in which no secret of the stack may be found, such as its state. `tell` is called
    with one line at each step. `outside` runs a command on another machine; it is this one when left out. ValueError
    for an unknown claim, ProbeError when the machine or its Docker does not answer, or another verification does not
    end, or takes over because the machine has not heard of this one for too long.
    """
    began, start = dt.datetime.now(dt.UTC), time.monotonic()
    chosen(every_claim(facts, BOTH_FAMILIES), only)  # a wrong name is told before anything is waited for
    run = secrets.token_hex(4)
    stage = Stage(Containers(machine), run, tell)
    try:
        with stage:
            around = look_around(stage.containers, facts)
            scene = DockerScene(stage.containers, facts, around, run, documents=documents, outside=outside)
            tell("starting containers: two computers, and those that must not reach them")
            scene.start()
            for vantage, reason in scene.missing.items():
                tell(f"{vantage} is missing: {reason}")
            # Only now the families are known that computers have.
            results, answers = prove(scene, chosen(every_claim(facts, scene.around), only), tell)
            tell("removing the containers")
    except KeyboardInterrupt:
        stage.leave()  # what a thread made while the first sweep was at it
        raise
    engine, runtime = around.versions
    return Verification(
        facts=facts,
        results=tuple(results),
        began=began,
        seconds=time.monotonic() - start,
        server_version=engine,
        nodes=((facts.machine, f"Docker {engine}", f"runc {runtime}"),),
        answers=tuple((vantage, target, answer) for (vantage, target), answer in answers.items()),
    )
