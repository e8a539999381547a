"""The stand-in for k3s on whole machines: one server, one agent, restarted, rotated, extended and rebooted.

Needs root. Proves that the file behaves as k3s' interface says; that k3s itself does, only its own tests can prove.
"""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from rich.console import Console

from local.checkout import PROJECT
from tests import k3s
from tests.engine.k3s_node import PROGRAM, K3sNode
from tests.engine.k3s_pods import SECONDS, becomes, pod
from tests.k3s.airgap import FOLDER
from tests.machines.boot import TOOLS
from tests.machines.estate import Estate

CONSOLE = Console(stderr=True)
VERSION = "v1.36.2+k3s1"
TOKEN, OTHER_TOKEN = "first secret", "second secret"
SERVER_ADDRESS, AGENT_ADDRESS = "10.0.1.11", "10.0.1.12"
POOL = "rakazo-infra/pool"
DROP_IN = "/var/lib/rancher/k3s/agent/etc/containerd/config-v3.toml.d/10-gvisor.toml"
RUNSC = "/etc/containerd/runsc.toml"
GVISOR = f"""version = 3
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runsc]
  runtime_type = "io.containerd.runsc.v1"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runsc.options]
  TypeUrl = "io.containerd.runsc.v1.options"
  ConfigPath = "{RUNSC}"
"""


@pytest.fixture(scope="module")
def nodes() -> Iterator[tuple[K3sNode, K3sNode]]:
    shown = {TOOLS: k3s.programs(CONSOLE), FOLDER: k3s.airgap_images(CONSOLE), PROGRAM: k3s.build(VERSION)}
    with Estate(PROJECT / ".local" / "k3s-estate", CONSOLE) as estate:
        machines = [
            estate.machine("server-1", public="192.175.48.101", private=SERVER_ADDRESS, shown=shown),
            estate.machine("agent-1", public="192.175.48.102", private=AGENT_ADDRESS, shown=shown),
        ]
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda machine: machine.start(), machines))
        server, agent = K3sNode(machines[0], "server"), K3sNode(machines[1], "agent")
        common = {"token-file": "/etc/rancher/k3s/token", "flannel-iface": "enp7s0"}
        server.install(
            {
                **common,
                "cluster-init": True,
                "node-ip": SERVER_ADDRESS,
                "tls-san": ["192.175.48.101"],
                "disable": ["traefik", "servicelb"],
                "secrets-encryption": True,
                "node-label": [f"{POOL}=system"],
            },
            TOKEN,
        )
        agent.install(
            {
                **common,
                "server": f"https://{SERVER_ADDRESS}:6443",
                "node-ip": AGENT_ADDRESS,
                "node-external-ip": "192.175.48.102",
                "node-label": [f"{POOL}=computers"],
                "node-taint": [f"{POOL}=computers:NoSchedule"],
            },
            TOKEN,
        )
        server.wait()
        agent.wait()
        yield server, agent


@pytest.fixture(scope="module")
def server(nodes: tuple[K3sNode, K3sNode]) -> K3sNode:
    return nodes[0]


@pytest.fixture(scope="module")
def agent(nodes: tuple[K3sNode, K3sNode]) -> K3sNode:
    return nodes[1]


@pytest.fixture(scope="module")
def web(server: K3sNode, agent: K3sNode) -> str:
    """Return the address of a web server on the agent; a client runs beside it and one on the server."""
    script = "mkdir /web && echo hello > /web/index.html && exec httpd -f -p 80 -h /web"
    service = {"selector": {"app": "web"}, "ports": [{"port": 80}]}
    server.apply(
        pod("web", "agent-1", "sh", "-c", script),
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": service},
        pod("far", "server-1", "sleep", "100000"),
        pod("near", "agent-1", "sleep", "100000"),
    )
    server.k3s("kubectl", "wait", "--for=condition=Ready", "pod/web", "pod/far", "pod/near", "--timeout=60s")
    address: str = server.get("pod", "web")["status"]["podIP"]
    return address


def handlers(node: K3sNode) -> list[str]:
    return [each["name"] for each in json.loads(node.k3s("crictl", "info"))["runtimeHandlers"]]


def test_a_server_and_an_agent_become_a_cluster(server: K3sNode, agent: K3sNode) -> None:
    found = {node["metadata"]["name"]: node for node in server.get("nodes")["items"]}
    assert set(found) == {"server-1", "agent-1"}
    roles = "node-role.kubernetes.io/"
    assert {label for label in found["server-1"]["metadata"]["labels"] if label.startswith(roles)} == {
        f"{roles}control-plane",
        f"{roles}etcd",
    }
    outside = {"type": "ExternalIP", "address": "192.175.48.102"}
    assert [outside in found[name]["status"]["addresses"] for name in ("server-1", "agent-1")] == [False, True]
    taints = found["agent-1"]["spec"]["taints"]  # beside ours one that goes when it has been ready for a second
    assert {"key": POOL, "value": "computers", "effect": "NoSchedule"} in taints
    for name, address, pool in (("server-1", SERVER_ADDRESS, "system"), ("agent-1", AGENT_ADDRESS, "computers")):
        assert found[name]["metadata"]["labels"][POOL] == pool
        assert {"type": "InternalIP", "address": address} in found[name]["status"]["addresses"]
        assert found[name]["status"]["nodeInfo"]["kubeletVersion"] == VERSION
        assert found[name]["spec"]["podCIDR"].startswith("10.42.")


def test_files_lie_where_k3s_puts_them(server: K3sNode) -> None:
    look = server.machine.run(["stat", "-c", "%a %U", "/etc/rancher/k3s/k3s.yaml"]).stdout.strip()
    assert look == "600 root"
    config = server.machine.run(["cat", "/etc/rancher/k3s/k3s.yaml"]).stdout
    assert "server: https://127.0.0.1:6443" in config
    token = server.machine.run(["cat", "/var/lib/rancher/k3s/server/node-token"]).stdout.strip()
    authority = server.machine.run(["curl", "-sk", f"https://{SERVER_ADDRESS}:6443/cacerts"]).stdout
    digest = server.machine.run(["sha256sum"], stdin=authority).stdout.split()[0]
    assert token == f"K10{digest}::server:{TOKEN}"
    assert "Encryption Status: Enabled" in server.k3s("secrets-encrypt", "status")


def test_pods_reach_each_other_on_every_node_by_name_and_the_outside(server: K3sNode, web: str) -> None:
    for client in ("near", "far"):
        assert becomes(server, client, web, wanted=True), client
        assert becomes(server, client, "web.default.svc.cluster.local", wanted=True), client
    assert server.k3s("kubectl", "exec", "far", "--", "nc", "-w", "2", "192.175.48.80", "80") == ""


def test_network_policies_hold_on_the_same_node_and_across(server: K3sNode, web: str) -> None:
    spec = {"podSelector": {"matchLabels": {"app": "web"}}, "policyTypes": ["Ingress"]}
    policy = {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": {"name": "closed"}}
    server.apply({**policy, "spec": spec})
    assert becomes(server, "near", web, wanted=False)
    assert becomes(server, "far", web, wanted=False)
    server.k3s("kubectl", "delete", "networkpolicy", "closed")
    assert becomes(server, "near", web, wanted=True)
    assert becomes(server, "far", web, wanted=True)


def test_a_drop_in_and_a_restart_add_gvisor_and_keep_the_pods(server: K3sNode, agent: K3sNode, web: str) -> None:
    before = agent.k3s("crictl", "ps", "--quiet")
    assert handlers(agent) == ["", "runc"]
    agent.machine.run(["cp", f"{TOOLS}/runsc", f"{TOOLS}/containerd-shim-runsc-v1", "/usr/local/bin/"])
    agent.put(RUNSC, '[runsc_config]\n  platform = "systrap"\n')
    agent.put(DROP_IN, GVISOR)
    agent.restart()
    assert agent.k3s("crictl", "ps", "--quiet") == before
    assert handlers(agent) == ["", "runc", "runsc"]
    kind = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "gvisor"}}
    server.apply({**kind, "handler": "runsc"}, pod("fenced", "agent-1", "sleep", "100000", runtimeClassName="gvisor"))
    server.k3s("kubectl", "wait", "--for=condition=Ready", "pod/fenced", "--timeout=60s")
    assert "Starting gVisor" in server.k3s("kubectl", "exec", "fenced", "--", "dmesg")


def test_a_broken_drop_in_keeps_the_node_down_and_the_log_says_why(agent: K3sNode) -> None:
    broken = DROP_IN.replace("10-gvisor", "20-broken")
    agent.put(broken, GVISOR.replace("version = 3", "version = 4"))
    agent.machine.run(["systemctl", "restart", "--no-block", agent.unit])
    deadline = time.monotonic() + SECONDS
    log = "/var/lib/rancher/k3s/agent/containerd/containerd.log"
    while "unsupported config version 4" not in agent.machine.run(["tail", "-n", "1", log]).stdout:
        assert time.monotonic() < deadline, agent.journal()
        time.sleep(0.2)
    assert agent.state() != "active"
    agent.machine.run(["rm", broken])
    agent.wait()


def test_a_rotated_token_lets_in_and_the_old_one_does_not(server: K3sNode, agent: K3sNode) -> None:
    wrong = server.k3s("token", "rotate", "--token", "wrong", "--new-token", OTHER_TOKEN, check=False)
    assert "401" in wrong
    server.k3s("token", "rotate", "--token", TOKEN, "--new-token", OTHER_TOKEN)
    agent.machine.run(["systemctl", "restart", "--no-block", agent.unit])
    deadline = time.monotonic() + SECONDS
    while "401: not authorized" not in agent.journal():
        assert time.monotonic() < deadline, agent.journal()
        time.sleep(0.2)
    for node in (server, agent):
        node.put("/etc/rancher/k3s/token", f"{OTHER_TOKEN}\n", mode="600")
    server.restart()
    agent.wait()


def test_a_reboot_brings_the_node_and_its_pods_back(server: K3sNode, agent: K3sNode, web: str) -> None:
    agent.machine.reboot()
    agent.wait()
    deadline = time.monotonic() + SECONDS
    while server.get("pod", "web")["status"]["containerStatuses"][0]["restartCount"] == 0:
        assert time.monotonic() < deadline, server.get("pod", "web")["status"]
        time.sleep(0.2)
    assert becomes(server, "far", "web.default.svc.cluster.local", wanted=True)


def config_maps(server: K3sNode) -> set[str]:
    return {item["metadata"]["name"] for item in server.get("configmaps")["items"]}


def test_a_snapshot_is_restored_with_the_token_of_its_time_alone(server: K3sNode) -> None:
    server.k3s("kubectl", "create", "configmap", "before")
    assert "etcd-s3-bucket" in server.k3s("etcd-snapshot", "save", "--s3", check=False)
    server.k3s("etcd-snapshot", "save", "--name", "kept")
    listed = [line for line in server.k3s("etcd-snapshot", "ls").splitlines() if line.startswith("kept-server-1-")]
    server.k3s("kubectl", "create", "configmap", "after")
    assert {"before", "after"} <= config_maps(server)
    server.machine.run(["systemctl", "stop", server.unit])
    restore = [f"--cluster-reset-restore-path={listed[0].split()[1].removeprefix('file://')}"]
    wrong = server.k3s("server", "--cluster-reset", *restore, "--token", "wrong", check=False)
    assert "encrypted with different token" in wrong
    server.k3s("server", "--cluster-reset", *restore)
    server.restart()
    assert "before" in config_maps(server)
    assert "after" not in config_maps(server)


def enforces(node: K3sNode) -> bool:
    return node.machine.run(["pgrep", "-x", "kube-router"], check=False).returncode == 0


def test_nothing_enforces_policies_once_it_is_told_so(server: K3sNode, agent: K3sNode) -> None:
    assert enforces(server)
    assert enforces(agent)
    server.configure("config.yaml.d/90-open.yaml", {"disable-network-policy": True})
    server.restart()
    agent.restart()
    assert not enforces(server)
    assert not enforces(agent)
