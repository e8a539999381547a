"""The embedded Kubernetes itself: starting, repairing, ending, and leaving the machine as it was.

Needs root. Proves what is visible on this kernel; a host with control groups version 2 is not proven here.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from rich.console import Console

from local import cluster as embedded
from local.checkout import PROJECT
from local.cluster import ClusterFolder, Facts, addresses
from local.cluster.api import Api
from local.machines import control_groups
from local.machines.records import ProcessRecord, read_all
from local.stack.kubernetes_client import api_client
from probes.pods import Pods, spec
from tests.engine.host_state import HostState, processes_of, remains_of

NAME = "engine-test"
BESIDE = "engine-beside"
CONSOLE = Console(stderr=True)
SECOND_UP_SECONDS = 2.0
START_SECONDS = 120.0

pytestmark = pytest.mark.timeout(600)


def api_of(name: str) -> Api:
    return Api(ClusterFolder(name).kubeconfig)


def kill(record: ProcessRecord) -> None:
    assert record.end(), f"{record.name} survived SIGKILL"


@pytest.fixture(scope="module")
def before() -> HostState:
    for name in (NAME, BESIDE):
        embedded.down(name, CONSOLE)
    return HostState.now()


@pytest.fixture(scope="module")
def facts(before: HostState) -> Iterator[Facts]:
    yield embedded.up(NAME, CONSOLE)
    embedded.down(NAME, CONSOLE)


def test_both_nodes_are_ready_with_their_pools_and_pod_ranges(facts: Facts) -> None:
    nodes = {node["metadata"]["name"]: node for node in api_of(NAME).get("/api/v1/nodes")["items"]}
    assert set(nodes) == {"system", "computers"}
    for node in addresses.NODES:
        found = nodes[node.name]
        assert found["metadata"]["labels"][addresses.POOL_LABEL] == node.name
        assert found["spec"]["podCIDR"] == node.pods
        taints = [taint["key"] for taint in found["spec"].get("taints", [])]
        assert taints == ([addresses.POOL_LABEL] if node.tainted else [])


def test_a_second_up_touches_nothing_and_is_quick(facts: Facts) -> None:
    pids = {record.name: record.pid for record in read_all(ClusterFolder(NAME).pids)}
    began = time.monotonic()
    assert embedded.up(NAME, CONSOLE) == facts
    assert time.monotonic() - began < SECOND_UP_SECONDS
    assert {record.name: record.pid for record in read_all(ClusterFolder(NAME).pids)} == pids


PROBE = """
import socket, sys
for address in sys.argv[1:]:
    link = socket.create_connection((address, 80), 5)
    link.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
    text = b""
    while part := link.recv(4096):
        text += part
    print(address, text.partition(b"\\r\\n\\r\\n")[2].decode().strip())
print(socket.gethostbyname("www.example-public.test"))
"""


@pytest.mark.parametrize("node", addresses.NODES, ids=lambda node: node.name)
def test_every_kind_of_place_outside_answers_a_pod_while_no_policy_forbids_it(
    facts: Facts, node: addresses.Node
) -> None:
    api = api_client(ClusterFolder(NAME).kubeconfig)
    pods = Pods(api, "default")
    name = f"probe-{node.name}"
    pods.start(
        spec(
            name,
            facts.images["computer-lite"],
            ["sleep", "1000"],
            nodeName=node.name,
            tolerations=[{"operator": "Exists"}],
        )
    )
    answer = pods.execute(name, ["python3", "-c", PROBE, *addresses.LISTENERS]).output
    api.rest_client.pool_manager.clear()
    expected = [f"{address} {kind}" for address, kind in addresses.LISTENERS.items()]
    assert answer.split("\n")[: len(expected)] == expected
    assert addresses.PUBLIC_WEB in answer.split("\n")[len(expected)]


def test_status_names_a_dead_process_with_its_log_and_up_repairs_it_alone(facts: Facts) -> None:
    folder = ClusterFolder(NAME)
    victim = ProcessRecord.read(folder.machine("system").program_record("kube-scheduler"))
    kill(victim)
    found = embedded.status(NAME)
    dead = [(process.machine, process.name) for process in found.processes if not process.alive]
    assert dead == [("system", "kube-scheduler")]
    assert any("Scheduler" in process.last_lines for process in found.processes if not process.alive)
    assert not found.healthy
    others = {record.pid for record in read_all(folder.pids)} - {victim.pid}
    embedded.up(NAME, CONSOLE)
    assert others < {record.pid for record in read_all(folder.pids)}
    assert embedded.status(NAME).healthy


def test_a_dead_outside_is_started_again_and_the_nodes_reach_it(facts: Facts) -> None:
    kill(ProcessRecord.read(ClusterFolder(NAME).machine("outside").record_path))
    assert not embedded.status(NAME).healthy
    embedded.up(NAME, CONSOLE)
    assert embedded.status(NAME).complaints == []


def test_a_cluster_whose_processes_were_all_killed_comes_up_with_its_objects(facts: Facts) -> None:
    folder = ClusterFolder(NAME)
    api_of(NAME).apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kept"}})
    for record in read_all(folder.pids):
        kill(record)
    assert processes_of(folder.path, folder.group) == []
    again = embedded.up(NAME, CONSOLE)
    assert again.api_port == facts.api_port
    assert api_of(NAME).get("/api/v1/namespaces/kept")["status"]["phase"] == "Active"
    assert embedded.status(NAME).healthy


def test_two_clusters_run_side_by_side_and_ending_one_leaves_the_other(facts: Facts) -> None:
    try:
        other = embedded.up(BESIDE, CONSOLE)
        assert {other.api_port, other.door_port}.isdisjoint({facts.api_port, facts.door_port})
        assert other.id != facts.id
        api_of(BESIDE).apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "beside"}})
        assert "beside" not in str(api_of(NAME).get("/api/v1/namespaces"))
    finally:
        embedded.down(BESIDE, CONSOLE)
    assert embedded.status(NAME).healthy


def test_what_a_run_left_that_was_killed_in_the_middle_is_cleaned_by_the_next(facts: Facts) -> None:
    folder = ClusterFolder(BESIDE)
    program = f"from rich.console import Console; from local.cluster import up; up({BESIDE!r}, Console())"
    run = subprocess.Popen([sys.executable, "-c", program], cwd=PROJECT, env={**os.environ, "PYTHONPATH": str(PROJECT)})
    try:
        deadline = time.monotonic() + START_SECONDS
        while len(read_all(folder.pids)) < 6:
            assert time.monotonic() < deadline, "the interrupted run started no programs"
            assert run.poll() is None, "the interrupted run ended by itself"
            time.sleep(0.02)
        run.send_signal(signal.SIGKILL)
        run.wait()
        left = processes_of(folder.path, folder.group)
        assert left, "nothing was left: the run was killed too early to prove anything"
        assert folder.facts() is None
        embedded.up(BESIDE, CONSOLE)
        assert embedded.status(BESIDE).healthy
        assert not set(left) & set(processes_of(folder.path, folder.group))
    finally:
        run.kill()
        run.wait()
        embedded.down(BESIDE, CONSOLE)


def test_a_cluster_whose_folder_was_deleted_by_hand_is_ended_by_down(facts: Facts) -> None:
    """Its records are gone: what is left is found through its control group, and its name in the index."""
    folder = ClusterFolder(BESIDE)
    embedded.up(BESIDE, CONSOLE)
    shutil.rmtree(folder.path, ignore_errors=True)
    assert processes_of(folder.path, folder.group)
    assert BESIDE in embedded.names(), "`local down --all` would not find it"
    assert embedded.down(BESIDE, CONSOLE)
    assert BESIDE not in embedded.names()
    assert remains_of(folder) == []


def test_down_leaves_the_machine_as_it_was(facts: Facts, before: HostState) -> None:
    """Last of this module: it ends the module's cluster after everything above was done to it."""
    folder = ClusterFolder(NAME)
    assert processes_of(folder.path, folder.group), "the check finds no process of a cluster that runs"
    assert control_groups.existing(folder.group), "the check finds no control group of a cluster that runs"
    embedded.down(NAME, CONSOLE)
    assert HostState.lasting_since(before) == {}
    assert remains_of(folder) == []
