"""One Secret per service, with the secrets of its row in the table, and one for what never changes."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from components.kubernetes import names
from components.rakazo.database_url import render_database_url
from components.rakazo.services import APP_LOGIN, OWNER_LOGIN, SERVICES
from components.service import KEPT, SecretValue
from stacks.secrets import Secrets

DIGEST_DIGITS = 8
"""32 bits: enough to notice a change, and too few to confirm a guessed password with."""


@dataclass(frozen=True, kw_only=True)
class ServiceSecret:
    """The secrets of one service."""

    holders: Mapping[str, str]
    """Name of the Secret that holds each variable; optional ones that the stack lacks are missing."""
    digest: pulumi.Output[str]
    """Changes whenever a value does. Not secret, so that it does not hide the whole pod from a preview."""
    resources: Sequence[core.Secret]


@dataclass(frozen=True, kw_only=True)
class ServiceSecretsArgs:
    """Inputs of :class:`ServiceSecrets`."""

    namespace: str
    secrets: Secrets
    after: Sequence[pulumi.Resource]
    """What has to exist before anything in the namespace does: its policies."""


class ServiceSecrets(pulumi.ComponentResource):
    """No service can read, or restarts for, a secret that is not its own; the encryption key never changes.

    The key is written into the cluster once and then left alone: with another one in the stack file, by a slip or
    from another machine, a running Rakazo keeps the key that its stored credentials need. Only a stack that was
    destroyed, with its data, starts with a new one. Keep the value that the stack file had first.
    """

    of: Mapping[str, ServiceSecret]
    """By the service's name in the table."""

    def __init__(self, name: str, args: ServiceSecretsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("rakazo:rakazo:ServiceSecrets", name, None, opts)
        values = secret_values(args.secrets)
        child = pulumi.ResourceOptions(parent=self, depends_on=args.after)
        lasting = {key: source for service in SERVICES for key, source in service.secrets().items() if source in KEPT}
        kept = core.Secret(
            f"{name}-encryption-key",
            metadata=meta.ObjectMetaArgs(
                name=names.KEPT_SECRET, namespace=args.namespace, labels=names.labels(args.namespace)
            ),
            type="Opaque",
            data={key: _encoded(values[source]) for key, source in lasting.items()},
            # Not protected: the stack could not be destroyed then.
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(ignore_changes=["data"])),
        )
        made: dict[str, ServiceSecret] = {}
        for service in SERVICES:
            readable = {key: source for key, source in sorted(service.secrets().items()) if source in values}
            own = {key: values[source] for key, source in readable.items() if key not in lasting}
            object_name = names.service_object(service.name)
            resource = core.Secret(
                f"{name}-{service.name}",
                metadata=meta.ObjectMetaArgs(
                    name=object_name,
                    namespace=args.namespace,
                    labels=names.labels(args.namespace, service.name),
                ),
                type="Opaque",
                # Not string_data: a key that leaves it stays in the Secret.
                data={key: _encoded(value) for key, value in own.items()},
                opts=child,
            )
            made[service.name] = ServiceSecret(
                holders={key: names.KEPT_SECRET if key in lasting else object_name for key in readable},
                # Without what is kept: its pods would restart for a change that never reaches them.
                digest=pulumi.Output.unsecret(pulumi.Output.all(**own).apply(digest_of)),
                resources=[resource, kept] if readable.keys() & lasting.keys() else [resource],
            )
        self.of = made
        self.register_outputs({})


def secret_values(secrets: Secrets) -> dict[SecretValue, pulumi.Output[str]]:
    """Return every secret that the table can name; optional ones only when the stack has them."""
    values: dict[SecretValue, pulumi.Output[str] | None] = {
        SecretValue.DATABASE_URL: secrets.postgres_app_password.apply(
            lambda password: render_database_url(APP_LOGIN, password)
        ),
        SecretValue.MIGRATION_URL: secrets.postgres_owner_password.apply(
            lambda password: render_database_url(OWNER_LOGIN, password)
        ),
        SecretValue.ENCRYPTION_KEY: secrets.encryption_key,
        SecretValue.BETTER_AUTH_SECRET: secrets.better_auth_secret,
        SecretValue.SCREEN_PROXY_SECRET: secrets.screen_proxy_secret,
        SecretValue.OWNER_PASSWORD: secrets.postgres_owner_password,
        SecretValue.APP_PASSWORD: secrets.postgres_app_password,
        SecretValue.SUPERVISOR_TOKEN: secrets.supervisor_token,
        SecretValue.OPENROUTER_API_KEY: secrets.openrouter_api_key,
        SecretValue.ANTHROPIC_API_KEY: secrets.anthropic_api_key,
    }
    return {key: pulumi.Output.secret(value) for key, value in values.items() if value is not None}


def digest_of(values: Mapping[str, str]) -> str:
    """Return a short digest of a service's secrets."""
    text = json.dumps(dict(values), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_DIGITS]


def _encoded(value: pulumi.Output[str]) -> pulumi.Output[str]:
    return value.apply(lambda text: base64.b64encode(text.encode()).decode())
