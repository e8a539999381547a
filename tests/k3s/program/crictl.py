"""`k3s crictl`: what containerd has, as the real crictl prints it, for the subcommands that a node is examined with."""

import argparse
import datetime as dt
import json
from collections.abc import Sequence
from typing import Any

from tests.k3s.program import cri
from tests.k3s.program.protobuf import Message, count, mapping, part, read, text
from tests.k3s.program.refusal import Refusal

CONTAINER_STATES = ("CONTAINER_CREATED", "CONTAINER_RUNNING", "CONTAINER_EXITED", "CONTAINER_UNKNOWN")
SANDBOX_STATES = ("SANDBOX_READY", "SANDBOX_NOTREADY")
SHORT_ID = 13
COMMANDS = ("info", "pods", "ps")


def run(arguments: Sequence[str]) -> None:
    """Print what is asked for; Refusal for what the stand-in does not know."""
    if not arguments or arguments[0] not in COMMANDS:
        raise Refusal(
            f"crictl: the stand-in for k3s knows {', '.join(COMMANDS)}, not {' '.join(arguments) or 'nothing'}"
        )
    parser = argparse.ArgumentParser(prog=f"crictl {arguments[0]}")
    parser.add_argument("-o", "--output", choices=("json", "table"), default="table")
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("-a", "--all", action="store_true")
    parser.add_argument("--name", default="")
    options = parser.parse_args(arguments[1:])
    if arguments[0] == "info":
        print(json.dumps(info(), indent=2))
        return
    found = pods() if arguments[0] == "pods" else containers(every=options.all)
    named = [each for each in found if options.name in each["metadata"]["name"]]
    # containerd itself tells them in no order.
    found = sorted(named, key=lambda each: int(each["createdAt"]), reverse=True)
    if options.quiet:
        print("\n".join(each["id"] for each in found))
    elif options.output == "json":
        print(json.dumps({"items" if arguments[0] == "pods" else "containers": found}, indent=2))
    else:
        print("\n".join(_table(found)))


def info() -> dict[str, Any]:
    """Return containerd's state and configuration, with the handlers that it has at this moment."""
    answer = cri.ask("Status", cri.VERBOSE)
    details = {name: _parsed(value) for name, value in mapping(answer, 2).items()}
    conditions = [read(condition) for condition in part(answer, 1)[1]]
    handlers = details.get("config", {}).get("containerd", {}).get("runtimes", {})
    return {
        "status": {
            "conditions": [
                {
                    "type": text(each, 1),
                    "status": bool(count(each, 2)),
                    "reason": text(each, 3),
                    "message": text(each, 4),
                }
                for each in conditions
            ]
        },
        # containerd 2 lists them here; Debian's says the same in its configuration alone.
        "runtimeHandlers": [{"name": name} for name in ("", *sorted(handlers))],
        **details,
    }


def _condition(message: Message) -> dict[str, Any]:
    told = {"reason": text(message, 3), "message": text(message, 4)}
    return {"type": text(message, 1), "status": bool(count(message, 2)), **told}


def pods() -> list[dict[str, Any]]:
    """Return every pod sandbox."""
    found = []
    for item in cri.ask("ListPodSandbox").get(1, []):
        sandbox = read(item)
        about = part(sandbox, 2)
        found.append(
            {
                "id": text(sandbox, 1),
                "metadata": {
                    "name": text(about, 1),
                    "uid": text(about, 2),
                    "namespace": text(about, 3),
                    "attempt": count(about, 4),
                },
                "state": SANDBOX_STATES[count(sandbox, 3)],
                "createdAt": str(count(sandbox, 4)),
                "labels": mapping(sandbox, 5),
                "runtimeHandler": text(sandbox, 7),
            }
        )
    return found


def containers(*, every: bool) -> list[dict[str, Any]]:
    """Return the containers that run, or `every` one."""
    found = []
    for item in cri.ask("ListContainers").get(1, []):
        container = read(item)
        about = part(container, 3)
        found.append(
            {
                "id": text(container, 1),
                "podSandboxId": text(container, 2),
                "metadata": {"name": text(about, 1), "attempt": count(about, 2)},
                "image": {"image": text(part(container, 4), 1)},
                "imageRef": text(container, 5),
                "state": CONTAINER_STATES[count(container, 6)],
                "createdAt": str(count(container, 7)),
                "labels": mapping(container, 8),
            }
        )
    return [each for each in found if every or each["state"] == "CONTAINER_RUNNING"]


def _table(found: list[dict[str, Any]]) -> list[str]:
    rows = [("ID", "CREATED", "STATE", "NAME", "ATTEMPT", "POD ID / NAMESPACE")]
    for each in found:
        about = each["metadata"]
        created = dt.datetime.fromtimestamp(int(each["createdAt"]) / 1e9, dt.UTC).isoformat(timespec="seconds")
        where = each.get("podSandboxId", "")[:SHORT_ID] or about.get("namespace", "")
        state = each["state"].partition("_")[2].capitalize()
        rows.append((each["id"][:SHORT_ID], created, state, about["name"], str(about["attempt"]), where))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _parsed(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value
