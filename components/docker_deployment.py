"""The whole of a stack whose computers Docker runs, top to bottom, in the order in which data flows."""

from typing import assert_never

import pulumi

from components.docker.machine import DockerMachine
from components.edge.loopback import Loopback, LoopbackArgs
from components.proof.docker_facts import gather_docker_facts
from components.proof.docker_gate import DockerGate, DockerGateArgs
from components.rakazo.docker_application import DockerRakazo, DockerRakazoArgs
from components.rakazo.ranges import not_public
from stacks.docker_stack import DockerStackSettings
from stacks.secrets import Secrets
from stacks.target.docker_hetzner import DockerHetznerTarget
from stacks.target.docker_server import DockerServerTarget


def deploy_docker(settings: DockerStackSettings, secrets: Secrets) -> dict[str, pulumi.Input[str]]:
    """Declare every resource of the stack and return what it exports, apart from what its gate says; none is secret."""
    for note in settings.notes():
        pulumi.log.info(note)
    machine = _machine(settings, secrets)
    application = DockerRakazo(
        "rakazo",
        DockerRakazoArgs(stack=pulumi.get_stack(), settings=settings, machine=machine, secrets=secrets),
    ).application
    facts = gather_docker_facts(settings, machine, application.services, not_public())
    gate = DockerGate(
        "proof",
        DockerGateArgs(
            login=machine.login,
            facts=facts,
            isolation=application.isolation,
            after=[application.ready],
            mode=settings.proof.gate,
            identity=machine.identity,
            gone_with=machine.gone_with,
        ),
    )
    Loopback(
        "entry",
        LoopbackArgs(machine=machine, command=application.open, proof=gate.proof, passed=gate.passed),
    )
    return {
        "url": settings.application.public.origin,
        "entry": f"127.0.0.1:{settings.edge.web}",
        "facts": facts.apply(lambda known: known.pack()),
    }


def _machine(settings: DockerStackSettings, secrets: Secrets) -> DockerMachine:
    """Declare the machine. A target's module is imported only here: a stack has the packages of its own target."""
    target = settings.target
    match target:
        case DockerServerTarget():
            from components.targets.docker_server import DockerServer, DockerServerArgs

            return DockerServer("machine", DockerServerArgs(settings=target, secrets=secrets)).machine
        case DockerHetznerTarget():
            from components.targets.hetzner.docker_server import RentedDockerServer, RentedDockerServerArgs

            rented = RentedDockerServerArgs(
                stack=pulumi.get_stack(), settings=target, computers=settings.computers, secrets=secrets
            )
            return RentedDockerServer("machine", rented).machine
        case _:
            assert_never(target)
