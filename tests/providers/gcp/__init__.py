"""The stand-in for `gcp`: a project at Google with its refusals, and a cluster behind it when a test has one."""

from collections.abc import Mapping
from typing import Any

from tests.providers.gcp.accounts import Account, IamMember
from tests.providers.gcp.cluster import Cluster
from tests.providers.gcp.functions import functions
from tests.providers.gcp.google_project import Behind, GoogleProject
from tests.providers.gcp.networks import Network, Router, RouterNat, Subnetwork
from tests.providers.gcp.node_pool import NodePool
from tests.providers.package import Package
from tests.providers.refused import MissingConfigurationError, RefusedError

__all__ = ["Behind", "GcpPackage", "GoogleProject"]

_TYPES = (Network, Subnetwork, Router, RouterNat, Account, IamMember, Cluster, NodePool)


class GcpPackage(Package):
    """The package `gcp` on one project, whoever asks."""

    def __init__(self, project: GoogleProject) -> None:
        super().__init__("gcp", [kind(project) for kind in _TYPES], functions(project))
        self.project = project

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Take a project that is said: the one of the operator's shell is not here."""
        project = configuration.get("project")
        if project is None:
            raise MissingConfigurationError("gcp:project", "The default project to manage resources in")
        if project != self.project.name:
            raise RefusedError(f"googleapi: Error 403: Permission denied on project '{project}'")
