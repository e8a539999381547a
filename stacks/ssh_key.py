"""An SSH key pair, of which a stack keeps the private half."""

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_ssh_private_key


def public_key(private_key: str) -> str:
    """Return the public half as one line of authorized_keys; ValueError when the key is encrypted or is none."""
    try:
        loaded = load_ssh_private_key(private_key.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise ValueError(
            "rakazo:ssh_private_key is encrypted or no OpenSSH private key; nobody is there to type a passphrase: "
            'make one without (ssh-keygen -t ed25519 -N "")'
        ) from error
    return loaded.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
