"""The stack's secrets: Outputs from the moment they are read, so that none reaches a log or plain state."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pulumi

HEX_KEYS = ("encryption_key", "better_auth_secret", "screen_proxy_secret")
"""32 random bytes each, as 64 hexadecimal digits."""
PASSWORDS = ("postgres_owner_password", "postgres_app_password")
"""Passwords of Postgres' two logins: 16 random bytes or more as hexadecimal digits, as Rakazo documents it."""
OPTIONAL = ("openrouter_api_key", "anthropic_api_key")
"""Keys of model providers; people may also enter their own in Rakazo."""
CLUSTER_TOKEN = "cluster_token"  # noqa: S105 - the name of a secret
SUPERVISOR_TOKEN = "supervisor_token"  # noqa: S105 - the name of a secret
SSH_PRIVATE_KEY = "ssh_private_key"
HCLOUD_TOKEN = "hcloud_token"  # noqa: S105 - the name of a secret
DIGITALOCEAN_TOKEN = "digitalocean_token"  # noqa: S105 - the name of a secret
NEEDED_BY = {
    "existing": (),
    "server": (CLUSTER_TOKEN,),
    "hetzner": (CLUSTER_TOKEN, SSH_PRIVATE_KEY, HCLOUD_TOKEN),
    "digitalocean": (DIGITALOCEAN_TOKEN,),
    "gke": (),
    "eks": (),
    "docker": (SUPERVISOR_TOKEN,),
    "docker-hetzner": (SUPERVISOR_TOKEN, SSH_PRIVATE_KEY, HCLOUD_TOKEN),
}
"""What a target cannot do without, by its kind; with Docker computers by the target's `secrets_of`."""
TAKEN_BY = {
    **NEEDED_BY,
    "server": (CLUSTER_TOKEN, SSH_PRIVATE_KEY),
    "docker": (SUPERVISOR_TOKEN, SSH_PRIVATE_KEY),
}
"""What a target uses when it is there, by the same names."""
S3_KEYS = ("s3_access_key", "s3_secret_key")
"""Of the bucket for snapshots, when the settings name one: its store gives them out."""
HEX_KEY_DIGITS = 64
SHORTEST_PASSWORD = 32
"""Digits, which are 128 bits: too many to find the password from a stored digest of it."""

_HEX = re.compile(r"[0-9a-f]+")
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/=\n]+-----END [A-Z ]*PRIVATE KEY-----\n?")
_HCLOUD_TOKEN = re.compile(r"[A-Za-z0-9]{64}")
_S3_KEY = re.compile(r"[!-~]{3,256}")
_DIGITALOCEAN_TOKEN = re.compile(r"do[op]_v1_[0-9a-f]{64}")
_LEAST_VARIETY = 8  # distinct digits; 16 random bytes have fewer with a chance below 1 in 10^7


@dataclass(frozen=True, kw_only=True)
class Secrets:
    """Every secret of a stack, each checked before anything that needs it is declared."""

    encryption_key: pulumi.Output[str]
    """Encrypts stored credentials. Never changes: what it encrypted becomes unreadable. A running stack keeps the
    value that it was first deployed with, so this one has to be kept for the day it is made anew from a backup."""
    better_auth_secret: pulumi.Output[str]
    """Signs sessions; a new one signs everybody out."""
    screen_proxy_secret: pulumi.Output[str]
    """Seals screen addresses between api and web; a new one ends open screens."""
    postgres_owner_password: pulumi.Output[str]
    """The login that migrates. Read by Postgres only when its volume is empty."""
    postgres_app_password: pulumi.Output[str]
    """The login of api and worker, which the migration creates."""
    openrouter_api_key: pulumi.Output[str] | None = None
    anthropic_api_key: pulumi.Output[str] | None = None
    cluster_token: pulumi.Output[str] | None = None
    """With it a machine joins the cluster as a server, and a server is made anew from a snapshot of etcd. It is kept
    here, outside of the cluster, for that day."""
    supervisor_token: pulumi.Output[str] | None = None
    """With it api and worker have the supervisor make Docker computers; whoever has it commands that Docker."""
    ssh_private_key: pulumi.Output[str] | None = None
    """Logs in to the machines."""
    hcloud_token: pulumi.Output[str] | None = None
    """Rents machines, and may delete everything in its project. It never leaves the machine that Pulumi runs on."""
    s3_access_key: pulumi.Output[str] | None = None
    s3_secret_key: pulumi.Output[str] | None = None
    """Open the bucket for snapshots, to k3s and to whoever restores one."""
    digitalocean_token: pulumi.Output[str] | None = None
    """Makes clusters, and may delete everything in its account. It never leaves the machine that Pulumi runs on."""


def faults_of(values: Mapping[str, str]) -> list[str]:
    """Tell what is wrong with these secrets, by the names of their keys; never any part of a value."""
    faults = [
        f"rakazo:{key} is not 64 lower-case hexadecimal digits of random data; {write_line(key)}"
        for key in (*HEX_KEYS, CLUSTER_TOKEN, SUPERVISOR_TOKEN)
        if key in values and not _is_random_hex(values[key])
    ]
    faults += [
        f"rakazo:{key} is not {SHORTEST_PASSWORD} or more lower-case hexadecimal digits of random data; "
        f"{write_line(key)}"
        for key in PASSWORDS
        if key in values and not _is_password(values[key])
    ]
    if SSH_PRIVATE_KEY in values and not _PRIVATE_KEY.fullmatch(values[SSH_PRIVATE_KEY]):
        faults.append(f"rakazo:{SSH_PRIVATE_KEY} is not an SSH private key in PEM form; {write_line(SSH_PRIVATE_KEY)}")
    if HCLOUD_TOKEN in values and not _HCLOUD_TOKEN.fullmatch(values[HCLOUD_TOKEN]):
        faults.append(f"rakazo:{HCLOUD_TOKEN} is not 64 letters and digits; {write_line(HCLOUD_TOKEN)}")
    faults += [
        f"rakazo:{key} is not one line of letters, digits and signs without blanks; {write_line(key)}"
        for key in S3_KEYS
        if key in values and not _S3_KEY.fullmatch(values[key])
    ]
    if DIGITALOCEAN_TOKEN in values and not _DIGITALOCEAN_TOKEN.fullmatch(values[DIGITALOCEAN_TOKEN]):
        faults.append(
            f"rakazo:{DIGITALOCEAN_TOKEN} is not dop_v1_ and 64 hexadecimal digits; {write_line(DIGITALOCEAN_TOKEN)}"
        )
    owners: dict[str, str] = {}
    for key, value in values.items():
        first = owners.setdefault(value, key)
        if first != key:
            faults.append(f"rakazo:{first} and rakazo:{key} are the same; {write_line(key)}")
    return faults


def write_line(key: str) -> str:
    """Return the command that sets a secret without showing it; prefixed with what to do."""
    if key in (*OPTIONAL, *S3_KEYS, HCLOUD_TOKEN, DIGITALOCEAN_TOKEN):
        return f"write: pulumi config set --secret {key}"
    if key == SSH_PRIVATE_KEY:
        return f'write: ssh-keygen -q -t ed25519 -N "" -f rakazo && pulumi config set --secret {key} < rakazo'
    size = 16 if key in PASSWORDS else 32
    return f'write: openssl rand -hex {size} | tr -d "\\n" | pulumi config set --secret {key}'


def read_secrets(config: pulumi.Config, target: str, *, bucket: bool = False) -> Secrets:
    """Read and check the secrets that a stack with this kind of target has, and those of a `bucket` for snapshots.

    A key without a value is a ConfigMissingError; `missing_secrets` tells all of them beforehand. Every Output
    fails with the same list of faults when any secret is malformed or two are equal.
    """
    required = required_secrets(target, bucket=bucket)
    optional = [key for key in (*OPTIONAL, *TAKEN_BY[target]) if key not in required]
    present = [key for key in optional if config.get_secret(key) is not None]
    raw = {key: config.require_secret(key) for key in [*required, *present]}
    checked = pulumi.Output.all(**raw).apply(_checked)
    return Secrets(**{key: _pick(checked, key) for key in raw})


def required_secrets(target: str, *, bucket: bool = False) -> list[str]:
    """Name the secrets that a stack with this kind of target must have."""
    return [*HEX_KEYS, *PASSWORDS, *NEEDED_BY[target], *(S3_KEYS if bucket else ())]


def missing_secrets(config: pulumi.Config, target: str, *, bucket: bool = False) -> list[str]:
    """Name each required secret that has no value, with the command that sets it."""
    return [
        f"rakazo:{key} is missing; {write_line(key)}"
        for key in required_secrets(target, bucket=bucket)
        if config.get_secret(key) is None
    ]


def _checked(values: dict[str, str]) -> dict[str, str]:
    faults = faults_of(values)
    if faults:
        raise pulumi.RunError("secrets of the stack are refused:\n  " + "\n  ".join(faults))
    return values


def _pick(checked: pulumi.Output[dict[str, str]], key: str) -> pulumi.Output[str]:
    return checked.apply(lambda values: values[key])


def _is_random_hex(value: str) -> bool:
    return len(value) == HEX_KEY_DIGITS and _is_random(value)


def _is_password(value: str) -> bool:
    return len(value) >= SHORTEST_PASSWORD and _is_random(value)


def _is_random(value: str) -> bool:
    return _HEX.fullmatch(value) is not None and len(set(value)) >= _LEAST_VARIETY
