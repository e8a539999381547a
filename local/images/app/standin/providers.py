"""The provider that a service's settings name."""

import os
from pathlib import Path

import aiohttp

from .kubernetes import Kubernetes, KubernetesError
from .pod_computers import PodComputers
from .provider import Provider
from .refusals import RefusalError
from .sandbox_settings import DockerSandbox
from .settings import SharedSettings
from .supervised_computers import SupervisedComputers
from .supervisor_client import SupervisorClient
from .workspaces import Workspaces


def open_provider(session: aiohttp.ClientSession, settings: SharedSettings) -> Provider:
    """Return the provider of this process's computers.

    Raises:
        RefusalError: computers are to be pods, and this process is in no pod or has no ServiceAccount.

    """
    workspaces = Workspaces(Path(settings.data))
    sandbox = settings.sandbox
    if isinstance(sandbox, DockerSandbox):
        return SupervisedComputers(SupervisorClient(session, sandbox), workspaces, settings.data)
    try:
        kubernetes = Kubernetes.in_cluster(session, os.environ, sandbox.namespace)
    except KubernetesError as error:
        raise RefusalError([str(error)]) from error
    return PodComputers(kubernetes, sandbox, workspaces)
