"""What the machines are made of: rendered files and command lines."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from local.cluster import addresses, control_plane, network, node_programs, policy_enforcer
from local.cluster.family import DUAL_STACK, SINGLE_STACK
from local.cluster.layout import CONFIG, Layout, NodeLayout, Taint
from local.cluster.plan import AT_ONCE, WITH_NODES, Plan
from local.machines.machine import SYSTEM_PATH

PLAN = Plan(programs_folder=Path("/programs"), group="rakazo-0123abcd", pause="localhost/pause@sha256:0")
DUAL = Plan(programs_folder=PLAN.programs_folder, group=PLAN.group, pause=PLAN.pause, families=DUAL_STACK)


def flags(plan: Plan, machine: str, name: str) -> list[str]:
    return next(list(each.command) for each in plan.programs() if (each.machine, each.name) == (machine, name))


def test_containerd_offers_both_runtimes_and_the_given_pause_image() -> None:
    cri = tomllib.loads(node_programs.containerd_config("localhost/pause@sha256:1", NodeLayout()))["plugins"]
    cri = cri["io.containerd.grpc.v1.cri"]
    assert cri["sandbox_image"] == "localhost/pause@sha256:1"
    handlers = {name: runtime["runtime_type"] for name, runtime in cri["containerd"]["runtimes"].items()}
    runc = "io.containerd.runc.v2"
    assert handlers == {"runc": runc, node_programs.FALSE_HANDLER: runc, "runsc": "io.containerd.runsc.v1"}
    assert cri["restrict_oom_score_adj"] is True


CLOUD = Layout(
    computers=NodeLayout(
        labels={"sandbox.gke.io/runtime": "gvisor"},
        taints=(Taint(key="sandbox.gke.io/runtime", value="gvisor"),),
        handlers={"kata-qemu-runtime-rs": "runsc"},
        containerd_config="/etc/containerd/config.toml",
        containerd_under=("/bin/sh", "-c"),
    )
)


def test_a_node_can_look_like_a_clouds() -> None:
    plan = Plan(programs_folder=PLAN.programs_folder, group=PLAN.group, pause=PLAN.pause, layout=CLOUD)
    assert "--node-labels=rakazo-infra/pool=computers,sandbox.gke.io/runtime=gvisor" in flags(
        plan, "computers", "kubelet"
    )
    files = plan.blueprint("computers").files
    taints = yaml.safe_load(files[f"{CONFIG}/kubelet.yaml"])["registerWithTaints"]
    assert [(taint["key"], taint["effect"]) for taint in taints] == [
        ("rakazo-infra/pool", "NoSchedule"),
        ("sandbox.gke.io/runtime", "NoSchedule"),
    ]
    bare = node_programs.kubelet_config(addresses.COMPUTERS, NodeLayout(pool_taint=False), "/group")
    assert yaml.safe_load(bare)["registerWithTaints"] == []
    cri = tomllib.loads(files["/etc/containerd/config.toml"])["plugins"]["io.containerd.grpc.v1.cri"]
    handlers = {name: runtime["runtime_type"] for name, runtime in cri["containerd"]["runtimes"].items()}
    assert handlers["kata-qemu-runtime-rs"] == "io.containerd.runsc.v1"
    assert "runsc" not in handlers
    assert flags(plan, "computers", "containerd")[:4] == [
        "/bin/sh",
        "-c",
        "containerd",
        "--config=/etc/containerd/config.toml",
    ]


def test_what_only_one_node_looks_like_changes_nothing_about_the_other() -> None:
    plan = Plan(programs_folder=PLAN.programs_folder, group=PLAN.group, pause=PLAN.pause, layout=CLOUD)
    assert plan.blueprint("system") == PLAN.blueprint("system")
    assert flags(plan, "system", "kubelet") == flags(PLAN, "system", "kubelet")
    assert plan.fingerprint() != PLAN.fingerprint()


def test_gvisor_runs_on_systrap_with_the_built_program() -> None:
    content = tomllib.loads(node_programs.runsc_config("/programs/runsc"))
    assert content == {"binary_name": "/programs/runsc", "runsc_config": {"platform": "systrap"}}


@pytest.mark.parametrize("node", addresses.NODES, ids=lambda node: node.name)
def test_each_kubelet_has_a_control_group_of_its_own(node: addresses.Node) -> None:
    files = PLAN.blueprint(node.name).files
    content = yaml.safe_load(files[f"{CONFIG}/kubelet.yaml"])
    assert content["cgroupRoot"] == f"/rakazo-0123abcd/{node.name}"
    assert content["authentication"]["anonymous"]["enabled"] is False
    assert content["authorization"]["mode"] == "Webhook"
    assert bool(content["registerWithTaints"]) is node.tainted


def test_pods_are_addressed_from_the_nodes_own_range_and_leaks_end_with_the_machine() -> None:
    ipam = json.loads(node_programs.network_config(addresses.COMPUTERS, SINGLE_STACK))["plugins"][0]["ipam"]
    assert ipam["ranges"] == [[{"subnet": "10.42.1.0/24"}]]
    assert ipam["routes"] == [{"dst": "0.0.0.0/0"}]
    assert ipam["dataDir"].startswith("/run/")


def test_with_both_families_a_pod_has_an_address_of_each() -> None:
    ipam = json.loads(node_programs.network_config(addresses.COMPUTERS, DUAL_STACK))["plugins"][0]["ipam"]
    assert ipam["ranges"] == [[{"subnet": "10.42.1.0/24"}], [{"subnet": "fd00:42:0:1::/64"}]]
    assert ipam["routes"] == [{"dst": "0.0.0.0/0"}, {"dst": "::/0"}]


def test_with_both_families_every_program_of_kubernetes_is_told_both() -> None:
    services = "--service-cluster-ip-range=10.43.0.0/16,fd00:43::/112"
    assert services in flags(DUAL, "system", "kube-apiserver")
    assert "--cluster-cidr=10.42.0.0/16,fd00:42::/56" in flags(DUAL, "system", "kube-controller-manager")
    assert "--node-ip=10.10.0.12,fd00:10::12" in flags(DUAL, "computers", "kubelet")
    router = flags(DUAL, "computers", "kube-router")
    assert {services, "--enable-ipv6=true"} < set(router)
    proxy = yaml.safe_load(node_programs.kube_proxy_config(addresses.SYSTEM, DUAL_STACK))
    assert proxy["clusterCIDR"] == "10.42.0.0/16,fd00:42::/56"
    assert flags(DUAL, "outside", "outside")[-1] == "--dual-stack"


def test_with_ipv4_alone_no_program_file_or_route_mentions_ipv6() -> None:
    told = [" ".join(program.command) for program in PLAN.programs() if program.name != "kube-router"]
    told += network.outside_lines(SINGLE_STACK) + network.node_commands(SINGLE_STACK)
    told += network.node_lines(addresses.SYSTEM, SINGLE_STACK)
    for machine in PLAN.machines():
        made = PLAN.blueprint(machine)
        assert made.scripts == {}
        told.append(made.files.get("/etc/cni/net.d/10-pods.conflist", ""))
    assert [text for text in told if "::" in text or "ipv6" in text or "ip6" in text] == []
    assert "--enable-ipv6=false" in flags(PLAN, "system", "kube-router")


def test_kube_router_alone_finds_the_corrected_program_first_and_only_with_ipv6() -> None:
    first = {program.name: program.first_on_path for program in DUAL.programs()}
    assert {name for name, folder in first.items() if folder} == {"kube-router"}
    scripts = DUAL.blueprint("system").scripts
    assert {Path(path).parent.as_posix() for path in scripts} == {first["kube-router"]}
    assert {Path(path).name for path in scripts} == {"ip6tables-restore", "ipset"}
    assert DUAL.blueprint("outside").scripts == {}
    assert {program.first_on_path for program in PLAN.programs()} == {""}


def test_the_corrected_program_names_ipv6_sets_as_the_kernel_knows_them(tmp_path: Path) -> None:
    """Run for real, with a program that prints what it is given in the place of the system's."""
    real = tmp_path / "ip6tables-restore"
    real.write_text('#!/bin/sh\necho "$@"\nexec cat\n')
    real.chmod(0o755)
    script = tmp_path / "script"
    script.write_text(policy_enforcer.RESTORE.replace(f"PATH={SYSTEM_PATH}", f"PATH={tmp_path}:{SYSTEM_PATH}"))
    script.chmod(0o755)
    rule = "-A KUBE-NWPLCY-X -m set --match-set {}KUBE-SRC-AB src -m set --match-set {}KUBE-DST-CD dst -j MARK\n"
    batch = rule.format("", "") + rule.format("inet6:", "inet6:") + "-A INPUT -m set --match-set OTHER src -j DROP\n"
    done = subprocess.run(
        [str(script), "--wait", "-T", "filter"], input=batch, capture_output=True, text=True, check=False
    )
    corrected = rule.format("inet6:", "inet6:")
    assert done.stdout == f"--wait -T filter\n{corrected}{corrected}-A INPUT -m set --match-set OTHER src -j DROP\n"
    assert done.returncode == 0


def test_the_corrected_program_fails_as_the_systems_does(tmp_path: Path) -> None:
    real = tmp_path / "ip6tables-restore"
    real.write_text("#!/bin/sh\necho refused >&2\nexit 2\n")
    real.chmod(0o755)
    text = policy_enforcer.RESTORE.replace(f"PATH={SYSTEM_PATH}", f"PATH={tmp_path}:{SYSTEM_PATH}")
    done = subprocess.run(["sh", "-c", text], input="COMMIT\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "refused\n")


def test_kube_router_is_told_of_no_sets_and_everything_else_is_the_systems(tmp_path: Path) -> None:
    """With the sets of the other family in its hand it would write back what that one has just changed."""
    real = tmp_path / "ipset"
    real.write_text('#!/bin/sh\necho "$@"\nexec cat\n')
    real.chmod(0o755)
    text = policy_enforcer.IPSET.replace(f"PATH={SYSTEM_PATH}", f"PATH={tmp_path}:{SYSTEM_PATH}")

    def said(*arguments: str) -> str:
        command = ["sh", "-c", text, "ipset", *arguments]
        return subprocess.run(command, input="create X\n", capture_output=True, text=True, check=True).stdout

    assert said("save") == ""
    assert said("restore", "-exist") == "restore -exist\ncreate X\n"


def test_ipv6_addresses_can_be_used_at_once() -> None:
    """Duplicate address detection would hold each back for a second."""
    lines = network.outside_lines(DUAL_STACK) + network.node_lines(addresses.SYSTEM, DUAL_STACK)
    held = [line for line in lines if line.startswith("address add") and "::" in line]
    assert len(held) > 10
    assert all(line.endswith(" nodad") for line in held)


def test_each_node_reaches_everything_through_the_outside_and_other_pods_through_their_node() -> None:
    lines = network.node_lines(addresses.SYSTEM, DUAL_STACK)
    assert [line for line in lines if line.startswith("route")] == [
        "route add 0.0.0.0/0 via 10.10.0.1",
        "route add 10.42.1.0/24 via 10.10.0.12",
        "route add ::/0 via fd00:10::1",
        "route add fd00:42:0:1::/64 via fd00:10::12",
    ]


def test_a_pod_may_have_a_bounded_number_of_processes() -> None:
    content = yaml.safe_load(node_programs.kubelet_config(addresses.COMPUTERS, NodeLayout(), "/group"))
    assert content["podPidsLimit"] == 4096


def test_the_api_is_the_first_address_of_a_family_that_services_have_unless_they_ask() -> None:
    assert "--service-cluster-ip-range=10.43.0.0/16" in control_plane.apiserver(SINGLE_STACK)
    assert f"--advertise-address={addresses.SYSTEM.address}" in control_plane.apiserver(DUAL_STACK)


def test_kube_proxy_leaves_the_hosts_connection_tracking_alone() -> None:
    content = yaml.safe_load(node_programs.kube_proxy_config(addresses.SYSTEM, SINGLE_STACK))
    assert content["conntrack"] == {"maxPerCore": 0, "min": 0}


def test_programs_that_need_no_api_start_at_once_and_the_policy_enforcer_last() -> None:
    stages = {program.name: program.stage for program in PLAN.programs()}
    assert [name for name, stage in stages.items() if stage == AT_ONCE] == [
        "outside",
        "etcd",
        "kube-apiserver",
        "containerd",
        "entrance",
    ]
    assert [name for name, stage in stages.items() if stage == WITH_NODES] == ["kube-router"]


def test_every_machine_asks_the_outsides_dns_and_no_other() -> None:
    for machine in PLAN.machines():
        lines = PLAN.blueprint(machine).files["/etc/resolv.conf"].splitlines()
        assert [line for line in lines if line.startswith("nameserver")] == ["nameserver 192.175.48.53"]


def test_the_fingerprint_changes_with_the_programs_and_not_by_itself() -> None:
    same = Plan(programs_folder=Path("/programs"), group=PLAN.group, pause=PLAN.pause)
    other = Plan(programs_folder=Path("/newer"), group=PLAN.group, pause=PLAN.pause)
    assert PLAN.fingerprint() == same.fingerprint() != other.fingerprint()
    assert PLAN.fingerprint() != DUAL.fingerprint()
