"""The secrets of a cluster as a server keeps them, and the certificates that it issues from them."""

import base64
import json
import secrets
from collections.abc import Sequence
from pathlib import Path

from local.cluster import kubeconfig
from local.cluster.certificates import KeyPair, service_account_keys
from tests.k3s.program.authority import KeptAuthority, ensure_authority, save
from tests.k3s.program.paths import Layout, write

AUTHORITIES = {
    "tls/server-ca": "k3s-server-ca",
    "tls/client-ca": "k3s-client-ca",
    "tls/request-header-ca": "k3s-request-header-ca",
    "tls/etcd/server-ca": "etcd-server-ca",
    "tls/etcd/peer-ca": "etcd-peer-ca",
}
"""Place below the server's folder to the name that the authority has."""
SERVICE_KEY = "tls/service.key"
ENCRYPTION = "cred/encryption-config.json"
LOCAL_API = "127.0.0.2"
"""Where the API server listens on a server; 6443 on every other address is the supervisor, which passes on."""
API_PORT = 6443


class ServerFiles:
    """Everything below the server's folder that its components need to know each other."""

    def __init__(self, layout: Layout) -> None:
        """Name the folder; nothing is read."""
        self._layout = layout

    @property
    def exists(self) -> bool:
        """Whether this server has the cluster's secrets already."""
        return (self._layout.server / SERVICE_KEY).exists()

    def make(self, secrets_provider: str) -> None:
        """Make what is missing; `secrets_provider` is empty when secrets are stored as they are."""
        for place, common in AUTHORITIES.items():
            ensure_authority(self._layout.server / place, common)
        if not self.exists:
            write(self._layout.server / SERVICE_KEY, service_account_keys()[0])
        encryption = self._layout.server / ENCRYPTION
        if secrets_provider and not encryption.exists():
            write(encryption, json.dumps(encryption_config(secrets_provider)))

    def bundle(self) -> dict[str, str]:
        """Return what another server needs to become one of this cluster: place below the folder to content."""
        places = [f"{place}{suffix}" for place in AUTHORITIES for suffix in (".crt", ".key")]
        files = {place: self._layout.server / place for place in [*places, SERVICE_KEY, ENCRYPTION]}
        return {place: file.read_text(encoding="utf-8") for place, file in files.items() if file.exists()}

    def unpack(self, bundle: dict[str, str]) -> None:
        """Take over the secrets of the cluster that this server joins."""
        for place, content in bundle.items():
            write(self._layout.server / place, content, 0o644 if place.endswith(".crt") else 0o600)

    def authority(self, place: str) -> KeptAuthority:
        """Return one of AUTHORITIES."""
        return KeptAuthority.read(self._layout.server / place)

    @property
    def server_ca(self) -> str:
        """The certificate (PEM) with which every node knows the cluster."""
        return (self._layout.tls / "server-ca.crt").read_text(encoding="utf-8")

    def issue(self, addresses: Sequence[str], name: str) -> None:
        """Issue this server's certificates and kubeconfigs anew; `addresses` is how the API may be called."""
        server, client = self.authority("tls/server-ca"), self.authority("tls/client-ca")
        tls = self._layout.tls
        save(server.issue("kube-apiserver", serves=addresses), tls / "serving-kube-apiserver")
        save(client.issue("system:apiserver", groups=["system:masters"]), tls / "client-kube-apiserver")
        front = self.authority("tls/request-header-ca")
        save(front.issue("system:auth-proxy"), tls / "client-auth-proxy")
        store, peers = self.authority("tls/etcd/server-ca"), self.authority("tls/etcd/peer-ca")
        reached = ["127.0.0.1", "localhost", name, *addresses]
        save(store.issue("etcd-server", serves=reached), self._layout.etcd_tls / "server-client")
        save(store.issue("etcd-client"), self._layout.etcd_tls / "client")
        save(peers.issue("etcd-peer", serves=reached), self._layout.etcd_tls / "peer-server-client")
        self._person("admin", "system:admin", "system:masters")
        self._person("controller", "system:kube-controller-manager")
        self._person("scheduler", "system:kube-scheduler")
        self._person("supervisor", "system:k3s-supervisor", "system:masters")

    def client(self, user: str, *groups: str) -> KeyPair:
        """Issue a client certificate."""
        return self.authority("tls/client-ca").issue(user, groups=groups)

    def kubeconfig(self, server: str, pair: KeyPair) -> str:
        """Render a kubeconfig with k3s' names in it."""
        return kubeconfig.render("default", server, self.server_ca, pair)

    def _person(self, file: str, user: str, *groups: str) -> None:
        pair = self.client(user, *groups)
        save(pair, self._layout.tls / f"client-{file}")
        place = self._layout.credentials / f"{file}.kubeconfig"
        write(place, self.kubeconfig(f"https://{LOCAL_API}:{API_PORT}", pair))


def serving_names(domain: str) -> list[str]:
    """Return the names under which every API server answers."""
    names = ["kubernetes", "kubernetes.default", "kubernetes.default.svc", f"kubernetes.default.svc.{domain}"]
    return [*names, "localhost", "127.0.0.1", LOCAL_API]


def encryption_config(provider: str) -> dict[str, object]:
    """Return the API server's configuration for encrypting secrets with a new key."""
    keys = {"keys": [{"name": f"{provider}key", "secret": base64.b64encode(secrets.token_bytes(32)).decode()}]}
    resources = [{"resources": ["secrets"], "providers": [{provider: keys}, {"identity": {}}]}]
    return {"kind": "EncryptionConfiguration", "apiVersion": "apiserver.config.k8s.io/v1", "resources": resources}


def encryption_key_name(config: Path) -> tuple[str, str]:
    """Return provider and key's name of a configuration that encryption_config made."""
    content = json.loads(config.read_text(encoding="utf-8"))
    provider, keys = next(iter(content["resources"][0]["providers"][0].items()))
    return provider, keys["keys"][0]["name"]
