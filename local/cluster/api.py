"""The few calls to the cluster's API that starting it needs.

The kubernetes client would do, but importing it takes longer than a whole `up` of a running cluster may.
"""

import base64
import http.client
import json
import ssl
import tempfile
import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from local.failure import LocalError

FIELD_MANAGER = "rakazo-infra-local"

PATHS = {
    "Namespace": "/api/v1/namespaces",
    "Service": "/api/v1/namespaces/{namespace}/services",
    "ConfigMap": "/api/v1/namespaces/{namespace}/configmaps",
    "ServiceAccount": "/api/v1/namespaces/{namespace}/serviceaccounts",
    "Deployment": "/apis/apps/v1/namespaces/{namespace}/deployments",
    "StorageClass": "/apis/storage.k8s.io/v1/storageclasses",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings",
}


class Api:
    """The API as the administrator of a kubeconfig."""

    def __init__(self, kubeconfig: Path, timeout_seconds: float = 10.0) -> None:
        """Read the kubeconfig; raises OSError when it does not exist."""
        content = yaml.safe_load(kubeconfig.read_text())
        cluster, user = content["clusters"][0]["cluster"], content["users"][0]["user"]
        server = urllib.parse.urlsplit(cluster["server"])
        self._host, self._port = server.hostname or "", server.port or 443
        self._timeout = timeout_seconds
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        self._context = ssl.create_default_context(cadata=authority)
        # OpenSSL reads a client's certificate from a file only.
        with tempfile.NamedTemporaryFile() as pair:
            pair.write(base64.b64decode(user["client-certificate-data"]))
            pair.write(base64.b64decode(user["client-key-data"]))
            pair.flush()
            self._context.load_cert_chain(pair.name)

    def call(self, method: str, path: str, body: Any = None, kind: str = "application/json") -> tuple[int, str]:
        """Make one request and return status and text; raises OSError when the API does not answer."""
        connection = http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._context)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": kind} if text else {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except http.client.HTTPException as error:
            raise ConnectionError(f"{method} {path}: {error!r}") from error
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """Return the object or list at a path; raises LocalError for any other answer than success."""
        status, text = self.call("GET", path)
        if status >= http.client.BAD_REQUEST:
            raise LocalError(f"the cluster's API answers {status} to GET {path}: {text.strip()}")
        return json.loads(text)

    def apply(self, manifest: dict[str, Any]) -> None:
        """Apply one object on the server's side; ours wins over other field managers."""
        metadata = manifest["metadata"]
        collection = PATHS[manifest["kind"]].format(namespace=metadata.get("namespace", ""))
        path = f"{collection}/{metadata['name']}?fieldManager={FIELD_MANAGER}&force=true"
        status, text = self.call("PATCH", path, manifest, "application/apply-patch+yaml")
        if status >= http.client.BAD_REQUEST:
            raise LocalError(f"{manifest['kind']} {metadata['name']} is refused by the cluster's API: {text.strip()}")

    def set_pod_ranges(self, node: str, pods: Sequence[str]) -> None:
        """Note a node's pod ranges, one per family, on it; the API accepts that once and never a change."""
        body = {"spec": {"podCIDR": pods[0], "podCIDRs": list(pods)}}
        status, text = self.call("PATCH", f"/api/v1/nodes/{node}", body, "application/merge-patch+json")
        if status >= http.client.BAD_REQUEST:
            raise LocalError(f"node {node} does not take the pod ranges {', '.join(pods)}: {text.strip()}")
