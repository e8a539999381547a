"""Fingerprints of public keys, as OpenSSH writes them."""

import base64
import hashlib


def md5(public_key: str) -> str:
    """Return the old form, `aa:bb:…`, of a line of authorized_keys; Hetzner and the tls provider still show it."""
    digest = hashlib.md5(_blob(public_key)).hexdigest()  # noqa: S324 - the format is given
    return ":".join(digest[index : index + 2] for index in range(0, len(digest), 2))


def sha256(public_key: str) -> str:
    """Return the form that `ssh-keygen -l` shows, `SHA256:…`."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(_blob(public_key)).digest()).decode().rstrip("=")


def _blob(public_key: str) -> bytes:
    return base64.b64decode(public_key.split()[1])
