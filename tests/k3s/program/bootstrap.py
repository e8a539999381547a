"""The cluster's secrets inside its own store, readable with the server token alone.

So a snapshot on a new machine is of use to whoever kept the token, and a server that starts with another token than the
cluster's is noticed.
"""

import base64
import json

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

from tests.k3s.program.etcd import Etcd
from tests.k3s.program.http_client import digest
from tests.k3s.program.refusal import Refusal

PREFIX = "/bootstrap/"
ROUNDS = 4096


def _cipher(password: str) -> Fernet:
    derived = PBKDF2HMAC(algorithm=hashes.SHA256(), length=32, salt=digest(password).encode(), iterations=ROUNDS)
    return Fernet(base64.urlsafe_b64encode(derived.derive(password.encode())))


def seal(bundle: dict[str, str], password: str) -> bytes:
    """Encrypt the secrets."""
    return _cipher(password).encrypt(json.dumps(bundle).encode())


def unseal(sealed: bytes, password: str) -> dict[str, str]:
    """Decrypt them; Refusal when the password is another one."""
    try:
        content: dict[str, str] = json.loads(_cipher(password).decrypt(sealed))
    except InvalidToken as error:
        raise Refusal("bootstrap data already found and encrypted with different token") from error
    return content


def keep(store: Etcd, bundle: dict[str, str], password: str) -> None:
    """Put the secrets into the store unless they are there; Refusal when they are there under another token."""
    found = store.get(PREFIX)
    if not found:
        store.put(PREFIX + digest(password), seal(bundle, password))
    elif PREFIX + digest(password) not in found:
        raise Refusal("starting kubernetes: bootstrap data already found and encrypted with different token")


def rotate(store: Etcd, bundle: dict[str, str], old: str, new: str) -> None:
    """Let another token open the secrets."""
    store.put(PREFIX + digest(new), seal(bundle, new))
    if digest(new) != digest(old):
        store.delete(PREFIX + digest(old))
