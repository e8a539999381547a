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
from probes.docker.surroundings import look_around
from probes.verification import Tell, Verification, prove


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
    end.
    """
    began, start = dt.datetime.now(dt.UTC), time.monotonic()
    containers = Containers(machine)
    around = look_around(containers, facts)
    wanted = {claim.id for claim in chosen(every_claim(facts, around), only)}
    run = secrets.token_hex(4)
    stage = Stage(containers, run, tell)
    try:
        with stage:
            scene = DockerScene(containers, facts, around, run, documents=documents, outside=outside)
            tell("starting containers: two computers, and those that must not reach them")
            scene.start()
            for vantage, reason in scene.missing.items():
                tell(f"{vantage} is missing: {reason}")
            claims = [claim for claim in every_claim(facts, scene.around) if claim.id in wanted]
            results, answers = prove(scene, claims, tell)
            tell("removing the containers")
    except KeyboardInterrupt:
        stage.sweep()  # what a thread made while the first sweep was at it
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
