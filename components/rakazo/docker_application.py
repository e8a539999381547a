"""Rakazo on a machine with Docker: what is put there, in which order, and when each part of it runs again."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import pulumi

from components.compose.environment import secret_lines
from components.compose.networks import supervisor_address, supervisor_range
from components.compose.project import isolation_of, render_entry, render_project
from components.compose.service import ComposeArgs
from components.docker.delivery import Delivery, deliver
from components.docker.machine import DockerMachine
from components.docker.plan import DockerPlan
from components.machines.file import LIBRARY, render_delivery, render_removal
from components.machines.login import as_root
from components.machines.remote_command import RemoteCommandArgs, run_remotely
from components.rakazo.docker_services import DOCKER_SERVICES
from components.rakazo.docker_settings import choose_docker_settings
from components.rakazo.ranges import not_public
from components.rakazo.service_facts import service_facts
from components.rakazo.service_secrets import digest_of, secret_values
from probes.facts import ServiceFacts
from stacks.docker_stack import DockerStackSettings
from stacks.secrets import Secrets

HEARD = ("examine", "pull", "project")
"""Steps that take minutes or find what is to be known; they know no secret, and their standard error is shown."""


@dataclass(frozen=True, kw_only=True)
class DockerRakazoArgs:
    """Inputs of :class:`DockerRakazo`."""

    stack: str
    settings: DockerStackSettings
    machine: DockerMachine
    secrets: Secrets


@dataclass(frozen=True, kw_only=True)
class DockerApplication:
    """A running Rakazo to which nothing leads yet."""

    services: Sequence[ServiceFacts]
    """What each of its services must and must not have."""
    isolation: str
    """Changes whenever something does on which isolation depends."""
    open: str
    """What opens the way in; `close` beside it closes it."""
    ready: pulumi.Resource
    """Every service is well."""


class DockerRakazo(pulumi.ComponentResource):
    """Docker, the rules that hold computers back, and Rakazo behind them; no service starts before those rules.

    Each step depends on its own part of the settings, and does not run when another's changes. What a failed step was
    to replace goes on running.
    """

    application: DockerApplication

    def __init__(self, name: str, args: DockerRakazoArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:DockerRakazo", name, None, opts)
        self._prefix, self._machine = name, args.machine
        delivery = deliver(plan_of(args.stack, args.machine.name, args.settings, is_new=args.machine.is_new))
        ready = self._declare(delivery, f"docker {args.stack}", args.secrets)
        self.application = DockerApplication(
            services=[service_facts(service) for service in DOCKER_SERVICES if service.name != "migrate"],
            isolation=digest_of(
                {
                    "project": isolation_of(DOCKER_SERVICES, _compose(args.settings)),
                    **{step: delivery.versions[step] for step in ("engine", "fence")},
                }
            ),
            open=f"{LIBRARY}/open {delivery.versions['open']}",
            ready=ready,
        )
        self.register_outputs({})

    def _declare(self, delivery: Delivery, owner: str, secrets: Secrets) -> pulumi.Resource:
        """Declare the steps, each after the one before it; return the last one."""
        machine, login = self._machine, self._machine.login
        told = secret_values(secrets)
        lines = pulumi.Output.all(**{source.value: value for source, value in told.items()}).apply(
            lambda known: secret_lines(DOCKER_SERVICES, {source: known[source.value] for source in told})
        )
        # Short, and therefore no secret: enough to notice a change.
        marked = pulumi.Output.unsecret(lines.apply(lambda text: digest_of({"lines": text})))
        last = self._run(
            "deliver",
            as_root(login, f"sh -c {shlex.quote(render_delivery(delivery.files, owner))}"),
            machine.reached,
            delete=None if machine.gone_with is not None else as_root(login, render_removal(owner)),
        )
        for step in ("examine", "engine", "fence", "pull"):
            last = self._run(step, self._step(delivery, step), last)
        last = self._run("secrets", self._step(delivery, "secrets"), last, stdin=lines)
        up = marked.apply(lambda mark: f"{self._step(delivery, 'project')} {mark}")
        return self._run("project", up, last)

    def _step(self, delivery: Delivery, step: str) -> str:
        return as_root(self._machine.login, f"{LIBRARY}/{step} {delivery.versions[step]}")

    def _run(
        self,
        step: str,
        create: pulumi.Input[str],
        after: pulumi.Resource,
        *,
        delete: str | None = None,
        stdin: pulumi.Output[str] | None = None,
    ) -> pulumi.Resource:
        machine = self._machine
        return run_remotely(
            f"{self._prefix}-{step}",
            RemoteCommandArgs(
                login=machine.login,
                create=create,
                stdin=stdin,
                delete=delete,
                identity=machine.identity,
                tells=step in HEARD,
            ),
            pulumi.ResourceOptions(parent=self, depends_on=[after], deleted_with=machine.gone_with),
        )


def plan_of(stack: str, machine: str, settings: DockerStackSettings, *, is_new: bool) -> DockerPlan:
    """Return what a machine is to be, from the settings alone."""
    images, pool = settings.images, settings.target.docker.address_pool
    return DockerPlan(
        stack=stack,
        machine=machine,
        is_new=is_new,
        docker=settings.target.docker,
        computers=settings.computers,
        cores=_cores(settings),
        images=list(dict.fromkeys([images.postgres, images.app, images.computer])),
        release=images.app,
        compose=render_project(DOCKER_SERVICES, _compose(settings)),
        isolation=isolation_of(DOCKER_SERVICES, _compose(settings)),
        entry=render_entry(settings.edge.web),
        supervisor_range=supervisor_range(pool),
        denied=not_public(),
    )


def _compose(settings: DockerStackSettings) -> ComposeArgs:
    pool = settings.target.docker.address_pool
    return ComposeArgs(
        app=settings.images.app,
        postgres=settings.images.postgres,
        settings=choose_docker_settings(settings),
        address_pool=pool,
        supervisor_address=supervisor_address(pool),
    )


def _cores(settings: DockerStackSettings) -> int:
    """Return the largest limit of cores that anything has, as whole cores."""
    limits = [service.limits.cpu_millis for service in DOCKER_SERVICES]
    return max(ceil(max(limits) / 1000), settings.computers.cores)
