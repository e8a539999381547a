"""The Kubernetes client for an embedded cluster, which leaves nothing outside the cluster's folder."""

from pathlib import Path

from kubernetes import client

from probes.access import connect


def api_client(kubeconfig: Path) -> client.ApiClient:
    """Return a client for this kubeconfig alone, never for the environment's; its keys stay beside the file."""
    return connect(str(kubeconfig))
