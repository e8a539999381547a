"""Secrets of a new stack: made once, here, and handed to Pulumi through standard input."""

import secrets

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from stacks.secrets import CLUSTER_TOKEN, HEX_KEYS, PASSWORDS, SSH_PRIVATE_KEY, SUPERVISOR_TOKEN


def generate() -> dict[str, str]:
    """Return a new value for every secret that a stack must have, by configuration key.

    32 random bytes for keys and 16 for passwords, both as hexadecimal digits: what Rakazo's own
    documents ask for, and safe in a URL.
    """
    sizes = {**dict.fromkeys(HEX_KEYS, 32), **dict.fromkeys(PASSWORDS, 16)}
    return {f"rakazo:{key}": secrets.token_hex(size) for key, size in sizes.items()}


def generate_for_machines() -> dict[str, str]:
    """Return new values for the secrets of a stack whose target makes machines into a cluster, by configuration key.

    The SSH key's public half has to be put on the machines; `stacks.ssh_key.public_key` tells it.
    """
    return {f"rakazo:{CLUSTER_TOKEN}": secrets.token_hex(32), f"rakazo:{SSH_PRIVATE_KEY}": _ssh_key()}


def generate_for_docker() -> dict[str, str]:
    """Return new values for the secrets of a stack whose computers Docker runs, by configuration key."""
    return {f"rakazo:{SUPERVISOR_TOKEN}": secrets.token_hex(32), f"rakazo:{SSH_PRIVATE_KEY}": _ssh_key()}


def _ssh_key() -> str:
    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()
