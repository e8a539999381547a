"""The facts of a stack with Docker computers, gathered from what its settings and its machine say."""

from collections.abc import Sequence

import pulumi

from components.compose.environment import SECRETS
from components.compose.project import PROJECT
from components.docker.machine import DockerMachine
from probes.docker.facts import DockerFacts, MountFacts
from probes.facts import ServiceFacts
from stacks.docker_stack import DockerStackSettings

LAST_SCREEN = 6199
"""Screens of one computer listen on 6080 and from 6100 on; a hundred is more than any has."""
LOOPBACK = "127.0.0.1"


def gather_docker_facts(
    settings: DockerStackSettings, machine: DockerMachine, services: Sequence[ServiceFacts], denied: Sequence[str]
) -> pulumi.Output[DockerFacts]:
    """Return all that a verification has to know; none of it is secret.

    It is known at once, except the address and the key of a machine that is rented only now.
    """
    login = machine.login
    known = pulumi.Output.all(address=machine.address, host_key=login.host_key)
    return known.apply(
        lambda values: facts_of(settings, services, denied).model_copy(
            update={
                "machine": machine.name,
                "address": values["address"],
                "host_key": values["host_key"],
                "ssh_user": login.user,
                "ssh_port": login.port,
            }
        )
    )


def facts_of(settings: DockerStackSettings, services: Sequence[ServiceFacts], denied: Sequence[str]) -> DockerFacts:
    """Return what the settings say, of a machine that nobody has named yet."""
    computers = settings.computers
    return DockerFacts(
        machine="",
        address="",
        host_key="",
        ssh_user="root",
        ssh_port=22,
        application=PROJECT,
        denied_ranges=tuple(denied),
        neighbours=settings.proof.neighbours,
        image_app=settings.images.app,
        image_computer=settings.images.computer,
        image_postgres=settings.images.postgres,
        last_screen_port=LAST_SCREEN,
        maximum=computers.maximum,
        cpu=computers.cpu,
        memory=computers.memory,
        pids=computers.pids,
        mounts=tuple(
            MountFacts(source=each.source, target=each.target, read_only=each.read_only) for each in computers.mounts
        ),
        web=f"{LOOPBACK}:{settings.edge.web}",
        secrets_folder=SECRETS,
        application_services=tuple(services),
    )
