"""Who may call itself which node: k3s' node passwords, and the credentials that a node gets."""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from tests.k3s.program.http_client import Answer
from tests.k3s.program.kube import Kube
from tests.k3s.program.server_files import ServerFiles

NAMESPACE = "/api/v1/namespaces/kube-system/secrets"


class Rejected(Answer):
    """The node is another one than the one that has this name.

    A server tells it itself as it tells others, and as with k3s asks itself again until somebody has freed the name.
    """


def admit(api: Kube, node: str, password: str) -> None:
    """Let a node have its name, or note the name as its own; Rejected when another machine has it.

    As with k3s, deleting the Node frees its name: a server or agent that was replaced can take it again.
    """
    name = f"{node}.node-password.k3s"
    digest = hashlib.sha256(f"{node}:{password}".encode()).hexdigest()
    secret = api.find(f"{NAMESPACE}/{name}")
    if secret is not None:
        known = base64.b64decode(secret["data"]["hash"]).decode()
        if hmac.compare_digest(known, digest):
            return
        if api.find(f"/api/v1/nodes/{node}") is not None:
            raise Rejected(
                HTTPStatus.FORBIDDEN,
                f"Node password rejected, duplicate hostname or contents of '/etc/rancher/node/password' may not match "
                f"server node-passwd entry, try enabling a unique node name with the --with-node-id flag: {node}",
            )
        api.delete(f"{NAMESPACE}/{name}")
    metadata = {"name": name, "namespace": "kube-system"}
    body = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "immutable": True}
    api.create(NAMESPACE, {**body, "stringData": {"hash": digest}})


def credentials(files: ServerFiles, node: str, addresses: Sequence[str], api_url: str) -> dict[str, Any]:
    """Return what a node keeps in its agent folder: file's name to content.

    `api_url` is where the node reaches the API: itself on a server, its own load balancer on an agent.
    """
    serving = files.authority("tls/server-ca").issue(node, serves=[node, "127.0.0.1", "localhost", *addresses])
    client_ca = files.authority("tls/client-ca").certificate
    kubelet = files.client(f"system:node:{node}", "system:nodes")
    proxy = files.client("system:kube-proxy")
    controller = files.client("system:k3s-controller")
    return {
        "client-ca.crt": client_ca,
        "server-ca.crt": files.server_ca,
        "serving-kubelet.crt": serving.certificate,
        "serving-kubelet.key": serving.key,
        "client-k3s-controller.crt": controller.certificate,
        "client-k3s-controller.key": controller.key,
        "kubelet.kubeconfig": files.kubeconfig(api_url, kubelet),
        "kubeproxy.kubeconfig": files.kubeconfig(api_url, proxy),
        "k3scontroller.kubeconfig": files.kubeconfig(api_url, controller),
    }
