"""The stand-in for `digitalocean`: an account with its refusals, and a cluster behind it when a test has one."""

from collections.abc import Mapping
from typing import Any

from tests.providers.digitalocean.account import Account
from tests.providers.digitalocean.functions import functions
from tests.providers.digitalocean.kubernetes_cluster import KubernetesCluster
from tests.providers.digitalocean.kubernetes_node_pool import KubernetesNodePool
from tests.providers.digitalocean.nfs import Nfs
from tests.providers.digitalocean.vpc import Vpc
from tests.providers.package import Package
from tests.providers.refused import MissingConfigurationError, RefusedError

__all__ = ["Account", "DigitaloceanPackage"]

PREFIX = "dop_v1_"


class DigitaloceanPackage(Package):
    """The package `digitalocean` on one account, whatever the token is."""

    def __init__(self, account: Account) -> None:
        kinds = [Vpc(account), KubernetesCluster(account), KubernetesNodePool(account), Nfs(account)]
        super().__init__("digitalocean", kinds, functions(account))
        self.account = account

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Take a token that looks like one. The operator's environment is not here."""
        token = configuration.get("token")
        if token is None:
            raise MissingConfigurationError("digitalocean:token", "The token key for API operations")
        if isinstance(token, str) and not token.startswith(PREFIX):
            raise RefusedError("401 Unable to authenticate you")
