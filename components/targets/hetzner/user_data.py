"""What a new server is told about itself at its first start."""

from dataclasses import dataclass, field
from typing import Any

import yaml

from components.machines.preparation import INTERFACE, INTERFACE_SECONDS, SCRIPTS

LIMIT = 32 * 1024
"""Bytes; Hetzner's limit."""


@dataclass(frozen=True, kw_only=True)
class UserDataArgs:
    """What goes into it. Whoever is on the server can read it again, so it holds no secret of the stack."""

    name: str
    """Host name, which is also the node's."""
    private_address: str | None
    """None: it shares a network with nobody, and waits for no interface."""
    host_private_key: str = field(repr=False)
    """The machine's own identity: known beforehand, so that the first connection to it is checked already."""
    host_public_key: str
    administrator: str
    """Public key of whoever logs in."""


def render_user_data(args: UserDataArgs) -> str:
    """Return the document for cloud-init; ValueError when it is longer than Hetzner takes.

    It waits for the private interface and makes the machine known by its key. Everything else comes over SSH: a
    change of this text never reaches a server that exists.
    """
    document: dict[str, Any] = {
        "hostname": args.name,
        "preserve_hostname": False,
        "ssh_deletekeys": True,
        "ssh_keys": {
            "ed25519_private": _whole_lines(args.host_private_key),
            "ed25519_public": args.host_public_key.strip(),
        },
        "ssh_pwauth": False,
        "disable_root": False,
        "ssh_authorized_keys": [args.administrator.strip()],
    }
    if args.private_address is not None:
        document["write_files"] = [
            {
                "path": INTERFACE,
                "permissions": "0755",
                "content": (SCRIPTS / "interface").read_text(encoding="utf-8"),
            }
        ]
        document["runcmd"] = [[INTERFACE, args.private_address, str(INTERFACE_SECONDS)]]
    text = "#cloud-config\n" + yaml.dump(document, Dumper=_Readable, sort_keys=False)
    size = len(text.encode())
    if size > LIMIT:
        raise ValueError(
            f"the user data of {args.name} has {size} bytes, and Hetzner takes {LIMIT}; shorten the keys in it"
        )
    return text


class _Readable(yaml.SafeDumper):
    """Writes text of several lines as such, so that a person can read what a machine was told."""


def _as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Readable.add_representer(str, _as_block)


def _whole_lines(key: str) -> str:
    return key.strip() + "\n"
