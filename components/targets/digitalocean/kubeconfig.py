"""The kubeconfig of a cluster whose credentials end after a week."""

from datetime import datetime, timedelta

import yaml

from components.targets.digitalocean.existing import Credential

LEFT = timedelta(hours=1)
"""What has to be left of a credential: one `pulumi up` may take as long."""


def choose_credential(kept: Credential, asked: Credential | None, now: datetime) -> Credential:
    """Return the credential of the state while it is good, else the one that was asked for in this run.

    DigitalOcean makes a new one at every question. Always taking it would be a change at every preview.
    """
    if asked is None or datetime.fromisoformat(kept.expires_at) - now > LEFT:
        return kept
    return asked


def render_kubeconfig(context: str, credential: Credential) -> str:
    """Return the document, which is secret."""
    cluster = {"server": credential.host, "certificate-authority-data": credential.authority}
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": context, "cluster": cluster}],
            "users": [{"name": context, "user": {"token": credential.token}}],
            "contexts": [{"name": context, "context": {"cluster": context, "user": context}}],
            "current-context": context,
        },
        sort_keys=False,
    )
