"""The bucket for snapshots, as k3s reads it out of its own cluster."""

import base64
from dataclasses import dataclass, field

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.k3s.bucket import SECRET, describe
from stacks.secrets import Secrets
from stacks.target.snapshots import SnapshotSettings

TYPE = "etcd.k3s.cattle.io/s3-config-secret"


@dataclass(frozen=True, kw_only=True)
class BucketSecretArgs:
    """Inputs of :class:`BucketSecret`."""

    stack: str
    settings: SnapshotSettings
    secrets: Secrets = field(repr=False)


class BucketSecret(pulumi.ComponentResource):
    """k3s can write into the bucket, and no file of any machine holds its keys. Other keys need no restart."""

    def __init__(self, name: str, args: BucketSecretArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:k3s:BucketSecret", name, None, opts)
        access_key, secret_key = bucket_keys(args.secrets)
        told: dict[str, pulumi.Input[str]] = {
            **describe(args.stack, args.settings),
            "etcd-s3-access-key": access_key,
            "etcd-s3-secret-key": secret_key,
        }
        core.Secret(
            name,
            metadata=meta.ObjectMetaArgs(name=SECRET, namespace="kube-system"),
            type=TYPE,
            data={key: _encoded(value) for key, value in told.items()},
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})


def bucket_keys(secrets: Secrets) -> tuple[pulumi.Output[str], pulumi.Output[str]]:
    """Return the two keys of the bucket; ValueError when the stack has none, which `load` refuses."""
    if secrets.s3_access_key is None or secrets.s3_secret_key is None:
        raise ValueError("rakazo:s3_access_key or rakazo:s3_secret_key is missing; `load` refuses a stack without them")
    return secrets.s3_access_key, secrets.s3_secret_key


def restore_lines(settings: SnapshotSettings | None, secrets: Secrets) -> pulumi.Output[str] | None:
    """Return what the first server is told beside its tokens, a line per key; None: it restores no snapshot."""
    if settings is None or settings.restore is None:
        return None
    return pulumi.Output.all(*bucket_keys(secrets)).apply(lambda keys: "".join(f"{key}\n" for key in keys))


def _encoded(value: pulumi.Input[str]) -> pulumi.Output[str]:
    return pulumi.Output.from_input(value).apply(lambda text: base64.b64encode(text.encode()).decode())
