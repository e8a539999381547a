"""What k3s is told. That k3s takes it is the machines' tier's."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from components.k3s import config, gvisor, unit
from components.k3s.delivery import node_files
from components.k3s.plan import Node, Plan
from tests.unit import golden
from tests.unit.cluster.example import AGENTS, ALONE, SERVERS, node, plan

GOLDEN = Path(__file__).with_name("golden")


def shared(made: Plan, role: str = "server") -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(config.render_shared(made, role))
    return loaded


def own(of: Node) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(config.render_own(of))
    return loaded


@pytest.mark.parametrize("made", [SERVERS[0], AGENTS[0]], ids=["server", "agent"])
def test_all_that_a_node_is_given_is_the_reviewed(made: Node) -> None:
    """Scripts are files of their own, which are reviewed as such."""
    rendered = [file for file in node_files(plan(), made) if file.path == "machine.env" or "staged/" in file.path]
    rendered = [file for file in rendered if "nftables" not in file.path and not file.content.startswith("#!")]
    text = "".join(f"== {file.path} {file.mode}\n{file.content}" for file in rendered)
    golden.check(GOLDEN / f"{made.role}.txt", text)


def test_every_server_is_told_the_same_in_the_shared_file() -> None:
    """k3s refuses a server that differs in any of its critical flags."""
    files = [
        {file.path: file.content for file in node_files(plan(), server)}["staged/k3s/etc/rancher/k3s/config.yaml"]
        for server in SERVERS
    ]
    assert len(set(files)) == 1


def test_no_critical_flag_is_in_a_machines_own_file() -> None:
    critical = {"agent-token", "agent-token-file", "cluster-cidr", "service-cidr", "cluster-dns", "cluster-domain"}
    critical |= {"disable", "disable-helm-controller", "flannel-backend", "secrets-encryption", "token-file"}
    for each in (*SERVERS, *AGENTS, ALONE):
        assert set(own(each)) & critical == set()


def test_the_only_enforcer_of_policies_is_never_switched_off() -> None:
    """B073: with flannel nothing else enforces NetworkPolicies, and the cluster would accept them all the same."""
    for made in (plan(), plan(ALONE), plan(node("a", 11, private_address=None, pool="all"))):
        told = str(shared(made)) + str(shared(made, "agent"))
        assert "network-policy" not in told


def test_what_nobody_asked_for_is_off_and_secrets_are_encrypted() -> None:
    told = shared(plan())
    assert told["disable"] == ["traefik", "servicelb", "metrics-server"]
    assert told["secrets-encryption"] is True
    assert told["write-kubeconfig-mode"] == "0600"


def test_tokens_are_files_and_agents_have_one_of_their_own() -> None:
    """With the servers' token on it, a machine of computers could join as a server."""
    assert shared(plan())["token-file"] == "/etc/rancher/k3s/token"
    assert shared(plan())["agent-token-file"] == "/etc/rancher/k3s/agent-token"
    assert set(shared(plan(), "agent")) == {"token-file", "prefer-bundled-bin"}


def test_every_way_to_a_server_is_in_its_certificate() -> None:
    assert shared(plan())["tls-san"] == [
        "203.0.113.11",
        "10.0.1.11",
        "203.0.113.12",
        "10.0.1.12",
        "203.0.113.13",
        "10.0.1.13",
    ]


@pytest.mark.parametrize(("private", "backend"), [("10.0.1.11", "vxlan"), (None, "wireguard-native")])
def test_without_a_private_network_nodes_encrypt_what_pods_say(private: str | None, backend: str) -> None:
    assert shared(plan(node("a", 11, private_address=private, pool="all")))["flannel-backend"] == backend


def test_a_node_says_who_it_is_and_never_which_interface_it_has() -> None:
    """B028: the interface is found by its address when k3s starts."""
    assert own(SERVERS[0]) == {
        "advertise-address": "10.0.1.11",
        "node-external-ip": "203.0.113.11",
        "node-ip": "10.0.1.11",
        "node-label": ["rakazo-infra/pool=system"],
        "node-name": "server-1",
    }


def test_machines_of_computers_are_for_nothing_else() -> None:
    """B047: the class selects the label and tolerates the taint."""
    told = own(AGENTS[0])
    assert told["node-label"] == ["rakazo-infra/pool=computers"]
    assert told["node-taint"] == ["rakazo-infra/pool=computers:NoSchedule"]


def test_a_machine_alone_carries_the_label_and_no_taint() -> None:
    """Rakazo itself has to run there too."""
    assert own(ALONE)["node-label"] == ["rakazo-infra/pool=computers"]
    assert "node-taint" not in own(ALONE)


def test_a_fixed_name_is_the_nodes_name() -> None:
    """B034: whatever the machine calls itself."""
    assert own(ALONE)["node-name"] == "rakazo-1"


@pytest.mark.parametrize(("role", "name"), [("server", "k3s"), ("agent", "k3s-agent")])
def test_k3s_runs_behind_its_firewall_and_leaves_pods_alone(role: Any, name: str) -> None:
    rendered = unit.render_unit(role, "10.0.1.11")
    assert unit.path(role) == f"/etc/systemd/system/{name}.service"
    assert "Requires=rakazo-firewall.service\n" in rendered
    assert "KillMode=process\n" in rendered
    assert "ExecStartPre=/usr/local/sbin/rakazo-interface 10.0.1.11 300\n" in rendered
    assert f"ExecStart=/usr/local/bin/k3s {role}\n" in rendered


def test_gvisor_is_told_nothing_about_control_groups() -> None:
    """B046: a value of ours that contradicts the kubelet's driver fails every pod; these releases find it out."""
    release = plan().gvisor
    assert release is not None
    rendered = gvisor.render_runsc(release)
    assert "cgroup" not in rendered
    assert 'binary_name = "/usr/local/lib/gvisor/20261116.0/runsc"' in rendered
    assert 'platform = "systrap"' in rendered


def test_machines_without_computers_get_no_gvisor() -> None:
    paths = [file.path for file in node_files(plan(), SERVERS[0])]
    assert not [path for path in paths if path.startswith("staged/gvisor/")]
    assert [path for path in [f.path for f in node_files(plan(), AGENTS[0])] if path.startswith("staged/gvisor/")]
