"""The Kubernetes client for an embedded cluster, which leaves nothing outside the cluster's folder."""

from pathlib import Path

from kubernetes import client, config


def api_client(kubeconfig: Path) -> client.ApiClient:
    """Return a client for this kubeconfig alone, never for the environment's.

    The library writes the administrator's key into a temporary file that lives as long as the process: it is put
    beside the kubeconfig, where it ends with the cluster.
    """
    configuration = client.Configuration()
    config.load_kube_config(
        str(kubeconfig),
        client_configuration=configuration,
        persist_config=False,
        temp_file_path=str(kubeconfig.parent),
    )
    return client.ApiClient(configuration)
