"""Secrets of a new stack: made once, here, and handed to Pulumi through standard input."""

import secrets

from stacks.secrets import HEX_KEYS, PASSWORDS


def generate() -> dict[str, str]:
    """Return a new value for every secret that a stack must have, by configuration key.

    32 random bytes for keys and 16 for passwords, both as hexadecimal digits: what Rakazo's own
    documents ask for, and safe in a URL.
    """
    sizes = {**dict.fromkeys(HEX_KEYS, 32), **dict.fromkeys(PASSWORDS, 16)}
    return {f"rakazo:{key}": secrets.token_hex(size) for key, size in sizes.items()}
