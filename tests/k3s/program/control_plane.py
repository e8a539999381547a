"""Command lines of the API server, the controllers and the scheduler, with k3s' defaults."""

from tests.k3s.program.etcd import CLIENT_PORT
from tests.k3s.program.paths import TOOLS, Layout
from tests.k3s.program.server_files import API_PORT, ENCRYPTION, LOCAL_API, SERVICE_KEY
from tests.k3s.program.settings import ServerSettings

LEADER = ("--leader-elect=true", "--leader-elect-lease-duration=10s", "--leader-elect-renew-deadline=8s")
"""Servers share a cluster; a shorter lease than k3s' lets the next one take over within a test."""


def apiserver(layout: Layout, settings: ServerSettings, advertised: str) -> list[str]:
    """Return the API server's; kubelets are called by address, because no DNS knows the nodes' names."""
    tls, cluster = layout.tls, settings.cluster
    encryption = layout.server / ENCRYPTION
    return [
        f"{TOOLS}/kube-apiserver",
        f"--etcd-servers=https://127.0.0.1:{CLIENT_PORT}",
        f"--etcd-cafile={tls}/etcd/server-ca.crt",
        f"--etcd-certfile={tls}/etcd/client.crt",
        f"--etcd-keyfile={tls}/etcd/client.key",
        f"--advertise-address={advertised}",
        f"--bind-address={LOCAL_API}",
        f"--secure-port={API_PORT}",
        # Its port is everybody's: on all other addresses the supervisor listens.
        "--permit-port-sharing=true",
        f"--service-cluster-ip-range={cluster.services}",
        f"--service-node-port-range={settings.node_ports}",
        "--allow-privileged=true",
        "--anonymous-auth=false",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        "--enable-bootstrap-token-auth=true",
        f"--client-ca-file={tls}/client-ca.crt",
        f"--tls-cert-file={tls}/serving-kube-apiserver.crt",
        f"--tls-private-key-file={tls}/serving-kube-apiserver.key",
        f"--kubelet-certificate-authority={tls}/server-ca.crt",
        f"--kubelet-client-certificate={tls}/client-kube-apiserver.crt",
        f"--kubelet-client-key={tls}/client-kube-apiserver.key",
        "--kubelet-preferred-address-types=InternalIP",
        f"--service-account-issuer=https://kubernetes.default.svc.{cluster.domain}",
        f"--service-account-key-file={layout.server / SERVICE_KEY}",
        f"--service-account-signing-key-file={layout.server / SERVICE_KEY}",
        f"--requestheader-client-ca-file={tls}/request-header-ca.crt",
        "--requestheader-allowed-names=system:auth-proxy",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-username-headers=X-Remote-User",
        f"--proxy-client-cert-file={tls}/client-auth-proxy.crt",
        f"--proxy-client-key-file={tls}/client-auth-proxy.key",
        *([f"--encryption-provider-config={encryption}"] if encryption.exists() else []),
        *_extra(settings, "kube-apiserver"),
    ]


def controller_manager(layout: Layout, settings: ServerSettings, *, elects: bool) -> list[str]:
    """Return the controllers'; every node gets its own /24 of the pods' range, as with k3s."""
    tls, cluster = layout.tls, settings.cluster
    return [
        f"{TOOLS}/kube-controller-manager",
        f"--kubeconfig={layout.credentials}/controller.kubeconfig",
        f"--service-account-private-key-file={layout.server / SERVICE_KEY}",
        f"--root-ca-file={tls}/server-ca.crt",
        f"--cluster-cidr={cluster.pods}",
        f"--service-cluster-ip-range={cluster.services}",
        "--allocate-node-cidrs=true",
        "--configure-cloud-routes=false",
        "--controllers=*,tokencleaner",
        f"--cluster-signing-cert-file={tls}/client-ca.crt",
        f"--cluster-signing-key-file={tls}/client-ca.key",
        "--use-service-account-credentials=true",
        # Each controller gets a token first; at the default pace that alone takes four seconds.
        "--kube-api-qps=200",
        "--kube-api-burst=400",
        "--bind-address=127.0.0.1",
        *(LEADER if elects else ("--leader-elect=false",)),
        *_extra(settings, "kube-controller-manager"),
    ]


def scheduler(layout: Layout, settings: ServerSettings, *, elects: bool) -> list[str]:
    """Return the scheduler's."""
    return [
        f"{TOOLS}/kube-scheduler",
        f"--kubeconfig={layout.credentials}/scheduler.kubeconfig",
        "--bind-address=127.0.0.1",
        *(LEADER if elects else ("--leader-elect=false",)),
        *_extra(settings, "kube-scheduler"),
    ]


def _extra(settings: ServerSettings, component: str) -> list[str]:
    return [f"--{argument}" for argument in settings.arguments[component]]
