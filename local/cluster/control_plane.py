"""Command lines of the control plane; everything runs on the node `system`."""

from local.cluster import addresses
from local.cluster.credentials import CREDENTIALS
from local.cluster.family import Families, joined
from local.machines.init import STATE

ETCD = "http://127.0.0.1:2379"  # loopback of the machine: no pod shares it


def etcd() -> list[str]:
    """The store; without fsync, because losing the host's power loses a throwaway cluster and nothing else."""
    return [
        "etcd",
        "--name=embedded",
        f"--data-dir={STATE}/etcd",
        f"--listen-client-urls={ETCD}",
        f"--advertise-client-urls={ETCD}",
        "--listen-peer-urls=http://127.0.0.1:2380",
        "--initial-advertise-peer-urls=http://127.0.0.1:2380",
        "--initial-cluster=embedded=http://127.0.0.1:2380",
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]


def apiserver(families: Families) -> list[str]:
    """The API server; kubelets are called by address, because no DNS knows the nodes' names."""
    return [
        "kube-apiserver",
        f"--etcd-servers={ETCD}",
        f"--advertise-address={addresses.SYSTEM.address}",
        f"--secure-port={addresses.API_PORT}",
        f"--service-cluster-ip-range={joined(family.services for family in families)}",
        "--allow-privileged=true",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        f"--client-ca-file={CREDENTIALS}/ca.crt",
        f"--tls-cert-file={CREDENTIALS}/apiserver.crt",
        f"--tls-private-key-file={CREDENTIALS}/apiserver.key",
        f"--kubelet-certificate-authority={CREDENTIALS}/ca.crt",
        f"--kubelet-client-certificate={CREDENTIALS}/kubelet-client.crt",
        f"--kubelet-client-key={CREDENTIALS}/kubelet-client.key",
        "--kubelet-preferred-address-types=InternalIP",
        f"--service-account-issuer=https://kubernetes.default.svc.{addresses.DOMAIN}",
        f"--service-account-key-file={CREDENTIALS}/service-account.pub",
        f"--service-account-signing-key-file={CREDENTIALS}/service-account.key",
        f"--requestheader-client-ca-file={CREDENTIALS}/front-ca.crt",
        "--requestheader-allowed-names=front-proxy-client",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-username-headers=X-Remote-User",
        f"--proxy-client-cert-file={CREDENTIALS}/front-proxy.crt",
        f"--proxy-client-key-file={CREDENTIALS}/front-proxy.key",
    ]


def controller_manager(families: Families) -> list[str]:
    """The controllers; pod ranges are fixed by the plan, so none are handed out."""
    return [
        "kube-controller-manager",
        f"--kubeconfig={CREDENTIALS}/controller-manager.kubeconfig",
        f"--service-account-private-key-file={CREDENTIALS}/service-account.key",
        f"--root-ca-file={CREDENTIALS}/ca.crt",
        f"--cluster-cidr={joined(family.pods for family in families)}",
        "--allocate-node-cidrs=false",
        "--use-service-account-credentials=true",
        # Each controller asks for its own token at the start: with the default of 20 a second that took four seconds.
        "--kube-api-qps=300",
        "--kube-api-burst=300",
        "--leader-elect=false",
        "--bind-address=127.0.0.1",
    ]


def scheduler() -> list[str]:
    """The scheduler; alone, so it elects no leader."""
    return [
        "kube-scheduler",
        f"--kubeconfig={CREDENTIALS}/scheduler.kubeconfig",
        "--leader-elect=false",
        "--bind-address=127.0.0.1",
    ]
