"""What a cloud hands out with a cluster, for an embedded one: an address, an authority, and tokens that end."""

import base64
from functools import cached_property
from pathlib import Path

import yaml
from kubernetes import client

from local.stack.kubernetes_client import api_client

NAMESPACE, ACCOUNT = "kube-system", "cloud-administrator"
TOKEN_SECONDS = 86_400


class CloudCredentials:
    """The administrator of an embedded cluster, as a cloud knows one: by a bearer token, not by a certificate."""

    def __init__(self, kubeconfig: Path) -> None:
        """`kubeconfig` is the embedded cluster's own; the administrator is made in it."""
        document = yaml.safe_load(kubeconfig.read_text(encoding="utf-8"))
        cluster = document["clusters"][0]["cluster"]
        self.server: str = cluster["server"]
        """The API's address, such as `https://127.0.0.1:6443`."""
        self.authority: str = cluster["certificate-authority-data"]
        """The certificate of the API's authority, in Base64 as kubeconfigs and clouds have it."""
        self._kubeconfig = kubeconfig
        self._make_account()
        client.RbacAuthorizationV1Api(self._api).create_cluster_role_binding(
            {
                "metadata": {"name": ACCOUNT},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
                "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": NAMESPACE}],
            }
        )

    @cached_property
    def _api(self) -> client.ApiClient:
        return api_client(self._kubeconfig)

    @property
    def authority_text(self) -> str:
        """The same certificate as PEM text."""
        return base64.b64decode(self.authority).decode()

    @property
    def version(self) -> str:
        """The server's version without its leading letter, such as `1.36.2`."""
        found: str = client.VersionApi(self._api).get_code().git_version
        return found.removeprefix("v")

    def token(self) -> str:
        """Return a new token with every right."""
        body = {"spec": {"expirationSeconds": TOKEN_SECONDS}}
        made = client.CoreV1Api(self._api).create_namespaced_service_account_token(ACCOUNT, NAMESPACE, body)
        return str(made.status.token)

    def expire(self) -> None:
        """End every token that was given out so far; new ones work."""
        client.CoreV1Api(self._api).delete_namespaced_service_account(ACCOUNT, NAMESPACE)
        self._make_account()

    def kubeconfig(self, context: str) -> str:
        """Return a kubeconfig with a new token inside."""
        return self.kubeconfig_for(context, {"token": self.token()})

    def kubeconfig_for(self, context: str, user: dict[str, object]) -> str:
        """Return a kubeconfig whose user is `user`, such as an exec plugin."""
        cluster = {"server": self.server, "certificate-authority-data": self.authority}
        return yaml.safe_dump(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "clusters": [{"name": context, "cluster": cluster}],
                "users": [{"name": context, "user": user}],
                "contexts": [{"name": context, "context": {"cluster": context, "user": context}}],
                "current-context": context,
            }
        )

    def make_classes(self, *names: str) -> None:
        """Add StorageClasses that a cloud's clusters have from their beginning; here they are folders of a node.

        A class whose name ends with `retain` keeps volumes whose claims are gone.
        """
        storage = client.StorageV1Api(self._api)
        (own,) = (each for each in storage.list_storage_class().items if each.metadata.name == "local-path")
        for name in names:
            storage.create_storage_class(
                {
                    "metadata": {"name": name},
                    "provisioner": own.provisioner,
                    "volumeBindingMode": "WaitForFirstConsumer",
                    "reclaimPolicy": "Retain" if name.endswith("retain") else "Delete",
                }
            )

    def make_kind(self, group: str, version: str, kind: str, plural: str) -> None:
        """Add a kind that a cloud's clusters have from their beginning; here nobody acts on its objects."""
        anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        client.ApiextensionsV1Api(self._api).create_custom_resource_definition(
            {
                "metadata": {"name": f"{plural}.{group}"},
                "spec": {
                    "group": group,
                    "scope": "Namespaced",
                    "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
                    "versions": [
                        {
                            "name": version,
                            "served": True,
                            "storage": True,
                            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": anything}}},
                        }
                    ],
                },
            }
        )

    def volumes(self) -> list[str]:
        """Return the names of the volumes that the cluster has made, claimed or not."""
        return [str(each.metadata.name) for each in client.CoreV1Api(self._api).list_persistent_volume().items]

    def namespaces(self) -> list[str]:
        """Return the names of every namespace that there is."""
        return [str(each.metadata.name) for each in client.CoreV1Api(self._api).list_namespace().items]

    def _make_account(self) -> None:
        client.CoreV1Api(self._api).create_namespaced_service_account(
            NAMESPACE, {"metadata": {"name": ACCOUNT, "namespace": NAMESPACE}}
        )
