"""`k3s secrets-encrypt status`: whether secrets are encrypted in the store, and how."""

from collections.abc import Sequence

from tests.k3s.program.paths import Layout
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.server_files import ENCRYPTION, encryption_key_name

KEY_TYPES = {"aescbc": "AES-CBC", "secretbox": "XSalsa20-POLY1305"}


def run(arguments: Sequence[str]) -> None:
    """Print the state; Refusal for every other subcommand."""
    if list(arguments) != ["status"]:
        raise Refusal("secrets-encrypt: the stand-in for k3s knows `status` alone")
    print("\n".join(status(Layout())))


def status(layout: Layout) -> list[str]:
    """Return the lines that k3s prints."""
    config = layout.server / ENCRYPTION
    if not config.exists():
        return ["Encryption Status: Disabled, no configuration file found"]
    provider, name = encryption_key_name(config)
    return [
        "Encryption Status: Enabled",
        "Current Rotation Stage: start",
        "Server Encryption Hashes: All hashes match",
        "",
        "Active  Key Type           Name",
        "------  --------           ----",
        f" *      {KEY_TYPES[provider]:<17}  {name}",
    ]
