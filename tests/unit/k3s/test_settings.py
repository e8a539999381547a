"""What the stand-in for k3s makes of a configuration: defaults, and contradictions that it refuses."""

from pathlib import Path
from typing import Any

import pytest

from tests.k3s.program.refusal import Refusal
from tests.k3s.program.settings import node_settings, s3_settings, server_settings, token_of

LEAST = {"disable": ["traefik", "servicelb"]}


def test_the_defaults_are_those_of_k3s() -> None:
    made = server_settings(LEAST)
    assert (made.cluster.pods, made.cluster.services) == ("10.42.0.0/16", "10.43.0.0/16")
    assert (made.cluster.dns_service, made.cluster.domain) == ("10.43.0.10", "cluster.local")
    assert made.cluster.flannel_backend == "vxlan"
    assert made.cluster.enforces_network_policies
    assert made.secrets_provider == ""
    assert made.kubeconfig == Path("/etc/rancher/k3s/k3s.yaml")
    assert made.kubeconfig_mode == 0o600
    assert node_settings({}).layout.containerd_config == Path("/var/lib/rancher/k3s/agent/etc/containerd/config.toml")


def test_the_cluster_dns_follows_the_service_range() -> None:
    assert server_settings({**LEAST, "service-cidr": ["10.77.0.0/16"]}).cluster.dns_service == "10.77.0.10"


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, "disable: must name traefik"),
        ({"disable": ["traefik"]}, "disable: must name servicelb"),
        ({"disable": ["traefik,servicelb", "treafik"]}, "disable: treafik is no packaged component"),
        ({**LEAST, "cluster-cidr": ["10.42.0.0/16,fd00::/56"]}, "cluster-cidr: the stand-in for k3s takes one IPv4"),
        ({**LEAST, "service-cidr": ["fd00::/112"]}, "service-cidr: the stand-in for k3s takes one IPv4"),
        ({**LEAST, "cluster-dns": ["10.96.0.10"]}, "cluster-dns: 10.96.0.10 lies outside"),
        ({**LEAST, "flannel-backend": "calico"}, "flannel-backend: calico is none of"),
        ({**LEAST, "flannel-backend": "wireguard-native"}, "cannot do wireguard-native"),
        ({**LEAST, "secrets-encryption-provider": "rot13"}, "secrets-encryption-provider: rot13 is none of"),
        ({**LEAST, "write-kubeconfig-mode": "0999"}, "write-kubeconfig-mode: 0999 is no octal mode"),
    ],
)
def test_a_server_that_could_not_be_what_it_says_is_refused(values: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Refusal, match=complaint):
        server_settings(values)


def test_a_node_of_ipv6_is_refused() -> None:
    with pytest.raises(Refusal, match="node-ip: the stand-in for k3s has IPv4 only"):
        node_settings({"node-ip": ["10.0.0.1,fd00::1"]})


def test_network_policies_are_left_out_only_when_asked() -> None:
    assert not server_settings({**LEAST, "disable-network-policy": True}).cluster.enforces_network_policies


def test_what_must_be_identical_is_compared_with_its_defaults() -> None:
    """A server that spells a default out may join one that does not."""
    spelled = {**LEAST, "cluster-cidr": ["10.42.0.0/16"], "flannel-backend": "vxlan", "disable-network-policy": False}
    assert server_settings(spelled).identical == server_settings(LEAST).identical
    for other in ({"cluster-cidr": ["10.44.0.0/16"]}, {"disable-network-policy": True}, {"secrets-encryption": True}):
        assert server_settings({**LEAST, **other}).identical != server_settings(LEAST).identical


def test_a_token_comes_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n")
    assert token_of({"token-file": str(file)}) == "secret"
    assert token_of({"token": "typed", "token-file": str(file)}) == "typed"
    file.write_text("\n")
    with pytest.raises(Refusal, match="is empty"):
        token_of({"token-file": str(file)})
    with pytest.raises(Refusal, match="token-file: cannot be read"):
        token_of({"token-file": str(tmp_path / "missing")})


def test_the_flags_of_s3_are_told_apart_from_the_switch() -> None:
    assert s3_settings({"etcd-s3": True, "etcd-s3-bucket": "b"}) == {"enabled": True, "bucket": "b"}
    assert s3_settings({}) == {"enabled": False}
