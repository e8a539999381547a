"""Another driver of volumes for an embedded cluster, under a cloud's name: they are folders of a node as well."""

from pathlib import Path

from kubernetes import client

from local.stack.kubernetes_client import api_client

NAMESPACE, OWN = "kube-system", "local-path-provisioner"


def install_driver(kubeconfig: Path, provisioner: str) -> None:
    """Start the embedded cluster's own program once more, for classes of `provisioner`, such as `ebs.csi.aws.com`."""
    apps = client.AppsV1Api(api_client(kubeconfig))
    own = apps.read_namespaced_deployment(OWN, NAMESPACE).spec.template
    pod = client.ApiClient().sanitize_for_serialization(own)
    name = provisioner.replace(".", "-")
    pod["metadata"]["labels"] = {"app": name}
    pod["spec"]["containers"][0]["command"] += ["--provisioner-name", provisioner]
    apps.create_namespaced_deployment(
        NAMESPACE,
        {
            "metadata": {"name": name},
            "spec": {"replicas": 1, "selector": {"matchLabels": {"app": name}}, "template": pod},
        },
    )
