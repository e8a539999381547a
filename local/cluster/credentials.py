"""Who is who in the cluster: every certificate and kubeconfig file, made once per cluster."""

from pathlib import Path

import yaml

from local.cluster import addresses, kubeconfig
from local.cluster.certificates import Authority, service_account_keys
from local.cluster.family import Families
from local.machines.init import STATE

CREDENTIALS = f"{STATE}/credentials"
"""Where a machine finds its own credentials."""


def _save(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.touch(mode=0o600)
    path.write_text(text)


def _addresses_of(node: addresses.Node, families: Families) -> list[str]:
    return [family.node_addresses[node.name] for family in families]


def write(machines: Path, families: Families, *, admin: Path, context: str, api_port: int) -> None:
    """Write each machine's credentials below `machines`/<name>/credentials and the administrator's kubeconfig.

    `api_port` is the port on 127.0.0.1 at which the host reaches the API.
    """
    authority = Authority("rakazo-infra embedded cluster")
    front = Authority("rakazo-infra embedded front proxy")
    control = machines / addresses.SYSTEM.name / "credentials"

    _save(control, "ca.crt", authority.certificate)
    _save(control, "front-ca.crt", front.certificate)
    names = ["kubernetes", "kubernetes.default", "kubernetes.default.svc"]
    names += [f"kubernetes.default.svc.{addresses.DOMAIN}", "localhost"]
    reached_at = ["127.0.0.1", addresses.API_SERVICE, *_addresses_of(addresses.SYSTEM, families)]
    authority.issue("kube-apiserver", serves=[*names, *reached_at]).write(control, "apiserver")
    # The API server's right to exec and read logs comes from this group; it calls the kubelets with it.
    authority.issue("kube-apiserver-kubelet", groups=["system:masters"]).write(control, "kubelet-client")
    front.issue("front-proxy-client").write(control, "front-proxy")
    private, public = service_account_keys()
    _save(control, "service-account.key", private)
    _save(control, "service-account.pub", public)

    def person(folder: Path, file: str, user: str, *groups: str) -> None:
        pair = authority.issue(user, groups=groups)
        _save(folder, file, kubeconfig.render("local", addresses.API_URL, authority.certificate, pair))

    person(control, "controller-manager.kubeconfig", "system:kube-controller-manager")
    person(control, "scheduler.kubeconfig", "system:kube-scheduler")
    for node in addresses.NODES:
        folder = machines / node.name / "credentials"
        _save(folder, "ca.crt", authority.certificate)
        serves = [node.name, *_addresses_of(node, families)]
        authority.issue(f"system:node:{node.name}", groups=["system:nodes"], serves=serves).write(folder, "kubelet")
        person(folder, "kubelet.kubeconfig", f"system:node:{node.name}", "system:nodes")
        person(folder, "kube-proxy.kubeconfig", "system:kube-proxy")
        person(folder, "kube-router.kubeconfig", "rakazo-infra:kube-router")
    pair = authority.issue("rakazo-infra:admin", groups=["system:masters"])
    _save(
        admin.parent,
        admin.name,
        kubeconfig.render(context, f"https://127.0.0.1:{api_port}", authority.certificate, pair),
    )


def point(admin: Path, api_port: int) -> None:
    """Let the administrator's kubeconfig name this port; it changes when another program took the last one."""
    content = yaml.safe_load(admin.read_text())
    server = f"https://127.0.0.1:{api_port}"
    if content["clusters"][0]["cluster"]["server"] != server:
        content["clusters"][0]["cluster"]["server"] = server
        draft = admin.with_suffix(".draft")
        draft.touch(mode=0o600)
        draft.write_text(yaml.safe_dump(content, sort_keys=False))
        draft.replace(admin)
