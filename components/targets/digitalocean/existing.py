"""What DigitalOcean already has of the stack, asked before anything is declared."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_digitalocean as digitalocean

KubeConfig = (
    digitalocean.outputs.KubernetesClusterKubeConfig | digitalocean.outputs.GetKubernetesClusterKubeConfigResult
)
NOT_THERE = "Unable to find cluster with name"
"""What the provider says of a name that no cluster has."""


@dataclass(frozen=True, kw_only=True)
class Credential:
    """One way in to a cluster, for a week."""

    host: str
    """The API's address, with `https://`."""
    authority: str
    """The certificate of the API's authority, in Base64."""
    token: str = field(repr=False)
    expires_at: str
    """RFC 3339."""


@dataclass(frozen=True, kw_only=True)
class ExistingCluster:
    """A cluster that is there, whatever the state remembers of it."""

    version: str
    """Slug of its version, such as `1.36.2-do.0`."""
    ha: bool
    credential: Credential


def find_cluster(name: str, provider: digitalocean.Provider) -> ExistingCluster | None:
    """Return the cluster of this name, or None. Its credential is a new one each time."""
    options = pulumi.InvokeOptions(provider=provider)
    try:
        found = digitalocean.get_kubernetes_cluster(name=name, opts=options)
    except Exception as error:  # the SDK raises nothing narrower for the answer of a provider
        if NOT_THERE in str(error):
            return None
        raise pulumi.RunError(
            f"DigitalOcean was asked whether there is a cluster {name}, and did not say: {error}. If it does not know "
            "the token, write: pulumi config set --secret digitalocean_token"
        ) from error
    return ExistingCluster(version=found.version, ha=found.ha, credential=credential_of(found.kube_configs))


def credential_of(kube_configs: Sequence[KubeConfig]) -> Credential:
    """Return what the provider hands out with a cluster, of a resource or of a data source."""
    (config,) = kube_configs
    return Credential(
        host=str(config.host),
        authority=str(config.cluster_ca_certificate),
        token=str(config.token),
        expires_at=str(config.expires_at),
    )
