"""The metadata service of a cloud: each machine is told what it is, by the address that it asks from."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import yaml

from tests.machines.addresses import METADATA
from tests.machines.namespace import Namespace
from tests.machines.web_server import Request, WebServer

if TYPE_CHECKING:
    from tests.machines.machine import Machine

ROOT = "/hetzner/v1"


class MetadataService:
    """Answers below /hetzner/v1, as Hetzner's does."""

    def __init__(self, operator: Namespace, machines: Callable[[], Mapping[str, "Machine"]]) -> None:
        """Listen in the operator's network; `machines` returns each machine by its public address."""
        self._machines = machines
        self._server = WebServer(operator, METADATA, self._answer)

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _answer(self, request: Request) -> None:
        machine = self._machines().get(request.client_address[0])
        text = None if machine is None else answer(machine, request.path)
        if text is None:
            request.reply(404, b"not found\n")
        else:
            request.reply(200, text.encode())


def answer(machine: "Machine", path: str) -> str | None:
    """Return what the machine is told at a path; None where there is nothing."""
    facts = {
        "instance-id": machine.instance_id,
        "hostname": machine.name,
        "public-ipv4": machine.public,
        "region": "eu-central",
        "availability-zone": "fsn1-dc14",
        "public-keys": list(machine.public_keys),
        "private-networks": [] if machine.private is None else [{"ip": machine.private, "interface_num": 1}],
    }
    path = path.rstrip("/")
    if path == f"{ROOT}/userdata":
        return machine.user_data or None
    if path == f"{ROOT}/metadata":
        return yaml.safe_dump(facts)
    asked = path.removeprefix(f"{ROOT}/metadata/")
    if asked not in facts:
        return None
    told = facts[asked]
    return told if isinstance(told, str) else yaml.safe_dump(told)
