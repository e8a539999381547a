"""Broken variants of a machine with Docker: what is broken, and exactly which claims it makes fail."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.docker_host import DockerHost
from tests.docker_proof import breaks
from tests.isolation.variants import LIVE_RANGES

Overlay = Callable[[DockerHost], AbstractContextManager[None]]
QUICK = ("kernel", "out", "in", "identity", "secrets", "limits-default")
METADATA = ("link-local", "ecs-task", "eks-pod-identity", "azure", "alibaba", "oracle")
"""Services of clouds that answer in the embedded outside."""
EVERY_RULE = {
    "out-rules",
    *(f"out-range-{text}" for text in LIVE_RANGES),
    *(f"out-metadata-{key}" for key in METADATA),
    "out-machine",
    "out-machine-ping",
    "out-application-metadata",
}
"""What the rules alone hold closed; between two of its networks Docker refuses as well."""


@dataclass(frozen=True, kw_only=True)
class DockerVariant:
    """One thing that is wrong, and what has to be said about it."""

    broken: str
    """A sentence for the table."""
    overlay: Overlay
    fails: frozenset[str]
    """Exactly these claims fail, and no others of those that are looked at."""
    says: str
    """Part of the cause or the remedy of one of them: it has to lead to the fault."""
    looks: tuple[str, ...] = QUICK
    """Claims and groups that are looked at: all but those that need minutes."""


def _variant(broken: str, overlay: Overlay, fails: set[str], says: str, **more: Any) -> DockerVariant:
    return DockerVariant(broken=broken, overlay=overlay, fails=frozenset(fails), says=says, **more)


DOCKER_VARIANTS: dict[str, DockerVariant] = {
    "rules missing": _variant(
        "the rules that hold computers back are gone",
        breaks.rules_missing,
        EVERY_RULE | {"birth-window"},
        "systemctl restart rakazo-egress",
        looks=(*QUICK, "birth"),
    ),
    "range missing": _variant(
        "172.16.0.0/12 is missing among the rules",
        breaks.range_missing,
        {"out-rules", "out-range-172.16.0.0/12"},
        "-d 172.16.0.0/12",
    ),
    "machine open": _variant(
        "the rule that closes the machine itself is missing",
        breaks.machine_open,
        {"out-rules", "out-machine", "out-machine-ping"},
        "rules of INPUT are missing",
    ),
    "family missing": _variant(
        "a range of IPv6 is missing among the rules, and no computer has an address of IPv6",
        breaks.family_missing,
        {"out-rules"},
        "IPv6: 1 of",
    ),
    "exception in front": _variant(
        "somebody let computers into one private network, in front of the rules",
        breaks.exception_in_front,
        {"out-rules", "out-range-10.0.0.0/8"},
        "a rule in front of them lets packets through",
    ),
    "lost at a restart": _variant(
        "the unit is switched off, and the rules are gone since Docker was restarted",
        breaks.lost_at_restart,
        EVERY_RULE | {"out-rules-kept"},
        "UnitFileState is disabled",
    ),
    "unit disabled": _variant(
        "the rules are in force, and their unit does not start with the machine",
        breaks.unit_disabled,
        {"out-rules-kept"},
        "UnitFileState is disabled",
    ),
    "nobody watches": _variant(
        "the rules are in force, and nobody looks whether they still are",
        breaks.nobody_watches,
        {"out-rules-watched"},
        "ActiveState is inactive",
    ),
    "rules not demanded": _variant(
        "the supervisor starts computers whether there are rules or not",
        breaks.egress_not_demanded,
        {"out-rules-demanded"},
        "restricted",
    ),
    "token in web": _variant(
        "web holds the supervisor's token",
        breaks.token_in_web,
        {"secrets-services", "secrets-nowhere"},
        "has SANDBOX_SUPERVISOR_TOKEN",
    ),
    "socket in api": _variant(
        "Docker's socket is mounted into api",
        breaks.socket_in_api,
        {"identity-socket"},
        "api: mounts",
    ),
    "port published": _variant(
        "Postgres' port is published on every address of the machine",
        breaks.port_published,
        {"in-published"},
        "postgres at 0.0.0.0:5432",
    ),
    "limit unset": _variant(
        "computers have no limit of memory",
        breaks.limit_unset,
        {"limits-default"},
        "RAKAZO_COMPUTER_MEMORY",
    ),
    "web beside the database": _variant(
        "web is on the database's network",
        breaks.web_beside_the_database,
        {"in-postgres"},
        "web → postgres",
    ),
    "supervisor everywhere": _variant(
        "the supervisor listens on the networks of computers",
        breaks.supervisor_everywhere,
        {"application-computer"},
        "on its own network: open",
        looks=("application-computer",),
    ),
    "secrets readable": _variant(
        "every user of the machine may read a file of secrets",
        breaks.secrets_readable,
        {"secrets-files"},
        "api.env is 644",
    ),
    "secret in a unit": _variant(
        "a secret's value is in a file beside the units",
        breaks.secret_in_a_unit,
        {"secrets-nowhere"},
        "ENCRYPTION_KEY",
    ),
    "rogue computer": _variant(
        "somebody started a computer by hand: privileged, as root, without limits, past the rules",
        breaks.rogue_computer,
        {"identity-computers"},
        "it is privileged",
    ),
    "home of everybody": _variant(
        "a computer has the homes of all bots in the place of its own",
        breaks.home_of_everybody,
        {"identity-computers"},
        "rakazo-data is mounted at /home/rakazo",
    ),
}
