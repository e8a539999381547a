"""All that a machine with Docker is given, and what of it each step depends on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from components.compose import project
from components.docker import egress, engine, unit
from components.docker.plan import DockerPlan
from components.machines import kernel, preparation
from components.machines.file import File, digest, script, staged
from components.machines.variables import render_variables
from stacks.docker_computers import RAKAZO_GIB
from stacks.quantity import size_bytes
from stacks.target.docker import OWN_NETWORKS, PROOF_NETWORKS

SCRIPTS = Path(__file__).with_name("scripts")
STEPS = ("examine", "engine", "fence", "pull", "secrets", "project", "open")
"""Each runs when something changes that it depends on, in this order."""
SHARED = ("adoption", "back", "compose", "pool")
"""Read by the steps, never run."""
OTHERS = ("close", "start", "stop", "remove")
BORROWED = ("report", "place", "download", "packages", "clock", "kernel")
"""Shared parts of every machine's steps."""


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Files, and a digest per step: a step looks again when its own changes, and not when another's does."""

    files: Sequence[File]
    versions: Mapping[str, str]


def deliver(plan: DockerPlan) -> Delivery:
    """Return what the machine is given."""
    variables = _variables(plan)
    placed = _placed(plan)
    scripts = {name: script(SCRIPTS, name) for name in (*STEPS, *OTHERS)}
    read = [
        *(script(SCRIPTS, name, mode="644") for name in SHARED),
        *(script(preparation.SCRIPTS, name, mode="644") for name in BORROWED),
    ]
    everything = {name: value for part in variables.values() for name, value in part.items()}
    return Delivery(
        files=[
            render_variables(everything),
            *read,
            *scripts.values(),
            *(file for step, files in placed.items() for file in staged(step, files)),
        ],
        versions={
            step: digest([scripts[step], *read, render_variables(variables[step]), *placed.get(step, [])])
            for step in STEPS
        },
    )


def _placed(plan: DockerPlan) -> Mapping[str, Sequence[File]]:
    """Return what each step puts in its place."""
    return {
        "engine": [
            File(path=engine.CONFIGURATION, content=engine.render_configuration(plan.docker.address_pool)),
            File(path=engine.CONTAINERD_CONFIGURATION, content=engine.render_containerd_configuration()),
            File(path=engine.CONTAINERD, content=engine.render_containerd()),
            File(path=engine.SERVICE, content=engine.render_service()),
            File(path=engine.SOCKET, content=engine.render_socket()),
        ],
        "fence": egress.egress_files(plan.denied),
        "project": [
            File(path=project.FILE, content=plan.compose),
            File(path=unit.PATH, content=unit.render_unit()),
            File(path=kernel.FILE, content=kernel.render_limits()),
        ],
        "open": [File(path=project.ENTRY, content=plan.entry)],
    }


def _variables(plan: DockerPlan) -> Mapping[str, Mapping[str, str]]:
    """Return the variables of each step; all of them end in one file."""
    docker, computers = plan.docker, plan.computers
    machine = {"STACK": plan.stack, "MACHINE_NAME": plan.machine, "PROJECT": project.PROJECT}
    pool = {"POOL": docker.address_pool, "SUPERVISOR_RANGE": plan.supervisor_range}
    return {
        "examine": {
            **machine,
            **pool,
            "IS_NEW": "yes" if plan.is_new else "no",
            "MIRROR": docker.mirror,
            "CORES": str(plan.cores),
            "RAKAZO_GIB": str(RAKAZO_GIB),
            "COMPUTER_MEMORY": computers.memory,
            "COMPUTER_BYTES": str(size_bytes(computers.memory)),
            "MAXIMUM": str(computers.maximum),
            "NETWORKS": str(computers.maximum + OWN_NETWORKS + PROOF_NETWORKS),
            "MOUNTS": " ".join(mount.source for mount in computers.mounts),
        },
        "engine": {
            **machine,
            **pool,
            "DOCKER_VERSION": docker.version,
            "DOCKER_URL": docker.url,
            "DOCKER_SHA256": docker.sha256,
            "COMPOSE_VERSION": docker.compose_version,
            "COMPOSE_URL": docker.compose_url,
            "COMPOSE_SHA256": docker.compose_sha256,
        },
        "fence": machine,
        "pull": {**machine, "IMAGES": " ".join(plan.images)},
        "secrets": machine,
        "project": {
            **machine,
            "RELEASE": plan.release,
            "ISOLATION": plan.isolation,
            "STOP_SECONDS": str(unit.STOP_SECONDS),
        },
        "open": machine,
    }
