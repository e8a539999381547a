"""The committed stack's project."""

import functools
from typing import Any

import yaml

from components.compose.networks import supervisor_address
from components.compose.project import render_project
from components.compose.service import ComposeArgs
from components.rakazo.docker_services import DOCKER_SERVICES
from components.rakazo.docker_settings import choose_docker_settings
from tests.unit.stacks.docker_stack import accepted, document


def args(**changes: Any) -> ComposeArgs:
    """Return what the project is rendered from, after changes of the stack."""
    stack = accepted(document(**changes))
    pool = stack.target.docker.address_pool
    return ComposeArgs(
        app=stack.images.app,
        postgres=stack.images.postgres,
        settings=choose_docker_settings(stack),
        address_pool=pool,
        supervisor_address=supervisor_address(pool),
    )


def project(**changes: Any) -> dict[str, Any]:
    """Return the project as Compose reads it, after changes of the stack."""
    loaded: dict[str, Any] = yaml.safe_load(render_project(DOCKER_SERVICES, args(**changes)))
    return loaded


@functools.cache
def services() -> dict[str, dict[str, Any]]:
    """Return the services of the unchanged stack."""
    found: dict[str, dict[str, Any]] = project()["services"]
    return found
