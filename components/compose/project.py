"""The whole project, and what opens its way in."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import yaml

from components.compose.networks import render_networks
from components.compose.service import ComposeArgs, render_service
from components.kubernetes import names
from components.service import Service

PROJECT = "rakazo"
"""Compose's name for it; containers are called `rakazo-<service>-1`."""
FILE = "/etc/rakazo-infra/compose.yaml"
ENTRY = "/etc/rakazo-infra/entry.yaml"
WEB = "web"
_HEADER = "# Written by rakazo-infra; a change is lost at the next `pulumi up`.\n"


def render_project(services: Sequence[Service], args: ComposeArgs) -> str:
    """Return the project as Compose reads it. It holds no secret, and opens no port of the machine."""
    return _spelled(_project(services, args))


def render_entry(port: int) -> str:
    """Return what is read beside it while the way in is open.

    The address is written out: without one Docker opens the port on all of the machine's, past its firewall.
    """
    return _spelled({"services": {WEB: {"ports": [f"127.0.0.1:{port}:{names.WEB_PORT}"]}}})


def isolation_of(services: Sequence[Service], args: ComposeArgs) -> str:
    """Return a short text that changes with whatever opens or closes something; a variable counts by its name."""
    project = _project(services, args)
    for service in project["services"].values():
        service["environment"] = sorted(service["environment"])
    return hashlib.sha256(json.dumps(project, sort_keys=True).encode()).hexdigest()[:16]


def _project(services: Sequence[Service], args: ComposeArgs) -> dict[str, Any]:
    healthy = {service.name for service in services if service.readiness is not None}
    volumes = sorted({service.volume.name for service in services if service.volume is not None})
    return {
        "name": PROJECT,
        "services": {service.name: render_service(service, args, healthy) for service in services},
        "networks": render_networks(args.address_pool),
        # With names of their own: what the project is called does not matter to the data.
        "volumes": {name: {"name": name} for name in volumes},
    }


class _Plain(yaml.SafeDumper):
    """Repeats what is the same, in the place of anchors that a person has to look up."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the dumper's own name for it
        return True


def _spelled(document: dict[str, Any]) -> str:
    return _HEADER + yaml.dump(document, Dumper=_Plain, sort_keys=False, width=120)
