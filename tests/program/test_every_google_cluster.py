"""What holds for every committed stack file whose cluster Google runs, and for what the policies of one mean."""

import pytest

from components.deployment import deploy
from stacks.target import GkeTarget
from tests.program.stack_files import STACK_NAMES, facts_of, pods, settings_of, stack_file
from tests.unit.clouds import gke
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.policies import Host, Pod, Policies
from tests.unit.recorder import Recorder, record
from tests.unit.stacks import gke_stack

GOOGLES = [name for name in STACK_NAMES if settings_of(name).target.kind == "gke"]
assert GOOGLES, "no stack has a cluster at Google, so nothing would be tested"
METADATA, NODE_LOCAL = Host("169.254.169.254"), Host("169.254.20.10")


@pytest.fixture(params=GOOGLES)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_googles_default_provider_is_switched_off(stack: str) -> None:
    """B004: nothing is ordered in whatever project the operator's shell has."""
    assert "gcp" in stack_file(stack)["pulumi:disable-default-providers"]


def test_computers_have_a_sandbox_and_the_class_is_googles(recorded: Recorder) -> None:
    """B049: one pool with it, one without, and no RuntimeClass of ours."""
    sandboxes = ["sandboxConfig" in pool.inputs["nodeConfig"] for pool in recorded.of_kind("NodePool")]
    assert sorted(sandboxes) == [False, True]
    assert recorded.of_kind("RuntimeClass") == []


def test_policies_are_enforced_and_the_cluster_is_protected(recorded: Recorder) -> None:
    """B003, B073."""
    (cluster,) = recorded.of_kind("Cluster")
    assert cluster.inputs["datapathProvider"] == "ADVANCED_DATAPATH"
    assert cluster.inputs["deletionProtection"] is True
    assert cluster.protect


def test_machines_have_a_way_out_and_no_way_in(recorded: Recorder) -> None:
    """B093: nothing in the network lets anything in."""
    assert len(recorded.of_kind("RouterNat")) == 1
    assert recorded.of_kind("Firewall") == []
    for pool in recorded.of_kind("NodePool"):
        assert pool.inputs["networkConfig"]["enablePrivateNodes"] is True


def test_no_pod_of_the_stack_mounts_a_folder_of_its_node(recorded: Recorder) -> None:
    """B048: GKE Sandbox admits no such pod."""
    volumes = [volume for _, spec, _ in pods(recorded) for volume in spec.get("volumes", [])]
    assert volumes
    assert [volume for volume in volumes if "hostPath" in volume] == []


def test_computers_reach_no_range_of_the_cluster(stack: str, recorded: Recorder) -> None:
    """B072: nodes, pods, Services and control plane."""
    computers, target = settings_of(stack).application.computers_namespace, settings_of(stack).target
    assert isinstance(target, GkeTarget)
    policies, computer = Policies([item.inputs for item in recorded.of_kind("NetworkPolicy")]), Pod(computers)
    for address in ("10.0.0.7", "10.4.3.2", "10.8.0.1", "10.0.4.2"):
        assert not policies.connects(computer, Host(address), 443), address
    assert policies.connects(computer, Host("192.175.48.80"), 443)


def test_the_api_and_the_worker_reach_the_control_plane_and_nobody_else_does(stack: str, recorded: Recorder) -> None:
    """B071: by the range that it stays in, outside of every node."""
    policies = Policies([item.inputs for item in recorded.of_kind("NetworkPolicy")])
    callers = {labels["app.kubernetes.io/component"]: labels for _, _, labels in pods(recorded)}
    namespace = settings_of(stack).application.namespace
    reached = {
        component
        for component, labels in callers.items()
        if policies.connects(Pod(namespace, labels), Host("10.0.4.2"), 443)
    }
    assert reached == {"api", "worker"}
    assert "10.0.4.0/28:443" in facts_of(recorded).api_servers


@pytest.mark.parametrize(("dns", "resolvers"), [("node-local", [NODE_LOCAL]), ("cloud-dns", [NODE_LOCAL, METADATA])])
def test_names_are_resolved_and_nothing_else_of_link_local_is_reached(dns: str, resolvers: list[Host]) -> None:
    """B056, B058, B075, B083: gVisor's packets to a resolver on the node meet the policy."""
    settings = gke_stack.accepted(dns=dns)
    made = record(lambda: deploy(settings, secret_outputs(**secrets_of("gke"))), answers=gke.answers())
    policies = Policies([item.inputs for item in made.of_kind("NetworkPolicy")])
    computer = Pod(settings.application.computers_namespace)
    for resolver in (NODE_LOCAL, METADATA):
        for protocol in ("UDP", "TCP"):
            assert policies.connects(computer, resolver, 53, protocol) is (resolver in resolvers)
        assert not policies.connects(computer, resolver, 80)
    cache = Pod("kube-system", {"k8s-app": "node-local-dns"}, "10.4.1.2")
    assert policies.connects(computer, cache, 53, "UDP"), "Dataplane V2 sees the cache's pod instead of its address"
