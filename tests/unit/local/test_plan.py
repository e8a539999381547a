"""What the machines are made of: rendered files and command lines."""

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from local.cluster import addresses, node_programs
from local.cluster.plan import AT_ONCE, WITH_NODES, Plan

PLAN = Plan(programs_folder=Path("/programs"), group="rakazo-0123abcd", pause="localhost/pause@sha256:0")


def test_containerd_offers_both_runtimes_and_the_given_pause_image() -> None:
    cri = tomllib.loads(node_programs.containerd_config("localhost/pause@sha256:1"))["plugins"]
    cri = cri["io.containerd.grpc.v1.cri"]
    assert cri["sandbox_image"] == "localhost/pause@sha256:1"
    handlers = {name: runtime["runtime_type"] for name, runtime in cri["containerd"]["runtimes"].items()}
    assert handlers == {"runc": "io.containerd.runc.v2", "runsc": "io.containerd.runsc.v1"}
    assert cri["restrict_oom_score_adj"] is True


def test_gvisor_runs_on_systrap_with_the_built_program() -> None:
    content = tomllib.loads(node_programs.runsc_config("/programs/runsc"))
    assert content == {"binary_name": "/programs/runsc", "runsc_config": {"platform": "systrap"}}


@pytest.mark.parametrize("node", addresses.NODES, ids=lambda node: node.name)
def test_each_kubelet_has_a_control_group_of_its_own(node: addresses.Node) -> None:
    files = PLAN.blueprint(node.name).files
    content = yaml.safe_load(files[f"{node_programs.CONFIG}/kubelet.yaml"])
    assert content["cgroupRoot"] == f"/rakazo-0123abcd/{node.name}"
    assert content["authentication"]["anonymous"]["enabled"] is False
    assert content["authorization"]["mode"] == "Webhook"
    assert bool(content["registerWithTaints"]) is node.tainted


def test_pods_are_addressed_from_the_nodes_own_range_and_leaks_end_with_the_machine() -> None:
    network = json.loads(node_programs.network_config(addresses.COMPUTERS))["plugins"][0]
    assert network["ipam"]["ranges"] == [[{"subnet": "10.42.1.0/24"}]]
    assert network["ipam"]["dataDir"].startswith("/run/")


def test_kube_proxy_leaves_the_hosts_connection_tracking_alone() -> None:
    content = yaml.safe_load(node_programs.kube_proxy_config(addresses.SYSTEM))
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
