"""The stand-in for `hcloud`: a Hetzner Cloud project with its refusals, and machines behind it when a test has some."""

from collections.abc import Mapping
from typing import Any

from tests.providers.hcloud.firewall import Firewall
from tests.providers.hcloud.functions import functions
from tests.providers.hcloud.load_balancer import LoadBalancer
from tests.providers.hcloud.load_balancer_network import LoadBalancerNetwork
from tests.providers.hcloud.load_balancer_service import LoadBalancerService
from tests.providers.hcloud.load_balancer_target import LoadBalancerTarget
from tests.providers.hcloud.network import Network
from tests.providers.hcloud.network_subnet import NetworkSubnet
from tests.providers.hcloud.placement_group import PlacementGroup
from tests.providers.hcloud.primary_ip import PrimaryIp
from tests.providers.hcloud.project import Project
from tests.providers.hcloud.server import Server
from tests.providers.hcloud.server_network import ServerNetwork
from tests.providers.hcloud.ssh_key import SshKey
from tests.providers.hcloud.volume import Volume
from tests.providers.package import Package
from tests.providers.refused import MissingConfigurationError, RefusedError

__all__ = ["HcloudPackage", "Project"]

TOKEN_LENGTH = 64
_TYPES = (
    Network,
    NetworkSubnet,
    Firewall,
    PlacementGroup,
    PrimaryIp,
    SshKey,
    Server,
    ServerNetwork,
    LoadBalancer,
    LoadBalancerNetwork,
    LoadBalancerService,
    LoadBalancerTarget,
    Volume,
)


class HcloudPackage(Package):
    """The package `hcloud` on one project, whatever the token is."""

    def __init__(self, project: Project) -> None:
        super().__init__("hcloud", [kind(project) for kind in _TYPES], functions(project))
        self.project = project

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Take a token of the right length. `HCLOUD_TOKEN` does not count: the operator's environment is not here."""
        token = configuration.get("token")
        if token is None:
            raise MissingConfigurationError("hcloud:token", "The Hetzner Cloud API token")
        if isinstance(token, str) and len(token) != TOKEN_LENGTH:
            raise RefusedError(
                f"hcloud:token: entered token is invalid (must be exactly {TOKEN_LENGTH} characters long)"
            )
