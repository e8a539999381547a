"""Certificates and kubeconfigs of a cluster."""

import base64
import ipaddress
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509
from cryptography.x509.oid import NameOID

from local.cluster import credentials
from local.cluster.family import DUAL_STACK, SINGLE_STACK


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("cluster")
    credentials.write(top / "machines", SINGLE_STACK, admin=top / "kubeconfig", context="rakazo-x", api_port=4242)
    return top


def user_certificate(kubeconfig: Path) -> x509.Certificate:
    content: dict[str, Any] = yaml.safe_load(kubeconfig.read_text())
    encoded = content["users"][0]["user"]["client-certificate-data"]
    return x509.load_pem_x509_certificate(base64.b64decode(encoded))


def test_the_administrators_kubeconfig_names_its_context_and_the_hosts_loopback(folder: Path) -> None:
    content = yaml.safe_load((folder / "kubeconfig").read_text())
    assert content["current-context"] == "rakazo-x"
    assert content["clusters"][0]["cluster"]["server"] == "https://127.0.0.1:4242"


def names_of(certificate: Path) -> x509.SubjectAlternativeName:
    loaded = x509.load_pem_x509_certificate(certificate.read_bytes())
    return loaded.extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def addresses_of(certificate: Path) -> set[str]:
    return {str(address) for address in names_of(certificate).get_values_for_type(x509.IPAddress)}


def test_with_both_families_nodes_are_trusted_at_both_addresses(tmp_path: Path) -> None:
    credentials.write(tmp_path / "machines", DUAL_STACK, admin=tmp_path / "kubeconfig", context="x", api_port=1)
    machines = tmp_path / "machines"
    assert addresses_of(machines / "computers" / "credentials" / "kubelet.crt") == {"10.10.0.12", "fd00:10::12"}
    assert "fd00:10::11" in addresses_of(machines / "system" / "credentials" / "apiserver.crt")


def test_the_api_is_trusted_at_every_address_where_it_is_reached(folder: Path) -> None:
    path = folder / "machines" / "system" / "credentials" / "apiserver.crt"
    reached = addresses_of(path)
    assert reached == {"127.0.0.1", "10.10.0.11", "10.43.0.1"}
    assert all(ipaddress.ip_address(address) for address in reached)
    assert "kubernetes.default.svc.cluster.local" in names_of(path).get_values_for_type(x509.DNSName)


@pytest.mark.parametrize("node", ["system", "computers"])
def test_a_kubelet_is_its_own_node_and_no_administrator(folder: Path, node: str) -> None:
    subject = user_certificate(folder / "machines" / node / "credentials" / "kubelet.kubeconfig").subject
    assert [each.value for each in subject.get_attributes_for_oid(NameOID.COMMON_NAME)] == [f"system:node:{node}"]
    assert [each.value for each in subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)] == ["system:nodes"]


def test_the_computers_node_holds_no_key_of_the_control_plane(folder: Path) -> None:
    files = {path.name for path in (folder / "machines" / "computers" / "credentials").iterdir()}
    routers = {"kube-proxy.kubeconfig", "kube-router.kubeconfig"}
    assert files == {"ca.crt", "kubelet.crt", "kubelet.key", "kubelet.kubeconfig", *routers}


def test_private_keys_and_kubeconfigs_are_readable_by_their_owner_only(folder: Path) -> None:
    private = [path for path in folder.rglob("*") if path.suffix == ".key" or "kubeconfig" in path.name]
    assert len(private) > 10
    assert [path.name for path in private if path.stat().st_mode & 0o077] == []


def test_a_new_port_is_written_into_the_kubeconfig(tmp_path: Path, folder: Path) -> None:
    copy = tmp_path / "kubeconfig"
    copy.write_text((folder / "kubeconfig").read_text())
    credentials.point(copy, 5555)
    assert yaml.safe_load(copy.read_text())["clusters"][0]["cluster"]["server"] == "https://127.0.0.1:5555"
