"""What goes with Docker computers and what does not; every refusal names the keys and the line to write."""

from typing import Any

import pytest

from stacks.settings import StackSettings
from tests.unit.stacks import server_stack
from tests.unit.stacks.docker_stack import accepted, document, on_hetzner, refusals


def test_the_committed_stack_is_accepted() -> None:
    stack = accepted(document())
    assert stack.target.kind == "server"
    assert stack.target.docker.url == ("https://download.docker.com/linux/static/stable/x86_64/docker-28.5.2.tgz")
    assert stack.target.docker.compose_url.endswith("/v5.5.1/docker-compose-linux-x86_64")


def test_a_rented_machine_is_accepted() -> None:
    stack = accepted(on_hetzner())
    assert [machine.key for machine in stack.target.machines if hasattr(machine, "key")] == ["server-1"]


def test_without_the_word_docker_computers_are_kubernetes_as_before() -> None:
    assert isinstance(server_stack.accepted(), StackSettings)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"computers__kind": None}, "target.docker is written, and computers.kind is not docker"),
        ({"target__docker": None}, "target.docker is missing, and computers.kind is docker. Write"),
        ({"target__kind": "eks"}, "computers.kind: docker does not go with target.kind: eks, which is a Kubernetes"),
        ({"target__kind": "existing"}, "Write target.kind: server or hetzner with target.docker"),
        ({"target__kind": "serv"}, "target.kind is unknown; write one of hetzner, server"),
        ({"runtime": {"kind": "gvisor"}}, "runtime.kind: gvisor does not go with computers.kind: docker"),
        ({"runtime": {"kind": "kata"}}, "Write runtime: {kind: runc}, and know that"),
        ({"runtime": None}, "runtime is missing"),
        ({"runtime": {}}, "runtime.kind is missing; write kind: and one of runc"),
        ({"target__k3s": {"version": "v1.36.2+k3s1"}}, "target.k3s belongs to Kubernetes"),
        ({"target__gvisor": {}}, "Leave out gvisor, or computers.kind and target.docker"),
        ({"computers__reserve": {}}, "computers.reserve is not a setting"),
        ({"application__web_replicas": 3}, "application.web_replicas is not a setting"),
        ({"application__namespace": "rakazo"}, "application.namespace is not a setting"),
        ({"edge": {"kind": "node-port"}}, "edge.kind must be loopback; write kind: loopback"),
        ({"edge__web": 80}, "edge.web must be at least 1024"),
        ({"computers__pids": 10}, "computers.pids must be at least 256"),
        ({"computers__memory": "256Mi"}, "computers.memory is too little for a desktop"),
        ({"target__docker__version": "24.0.9"}, "target.docker.version is older than 26.0"),
        ({"target__docker__version": "v28.5.2"}, 'write its number alone, such as "28.5.2"'),
        ({"target__docker__compose_version": "2.29.7"}, "target.docker.compose_version is older than 2.30"),
        ({"target__docker__sha256": "0"}, "target.docker.sha256 must match"),
        ({"target__docker__address_pool": "100.64.0.0/16"}, "Rakazo's web dials computers only there"),
        ({"target__docker__address_pool": "10.189.0.0/22"}, "is smaller than /20"),
        ({"target__docker__address_pool": "fd00::/16"}, "lies outside 10.0.0.0/8"),
        (
            {"target__docker__address_pool": "10.189.0.0/20", "computers__maximum": 7},
            "computers.maximum is 7, and target.docker.address_pool has networks for 6",
        ),
    ],
)
def test_what_does_not_go_is_refused_with_the_line_to_write(changes: dict[str, Any], told: str) -> None:
    (fault,) = refusals(document(**changes))
    assert told in fault


def test_several_machines_are_refused_with_the_reason() -> None:
    machine = document()["target"]["machines"][0]
    (fault,) = refusals(document(target__machines=[machine, {**machine, "name": "rakazo-2"}]))
    assert "machines: there are 2, and Docker computers live on one machine" in fault
    assert refusals(document(target__machines=[])) != []


def test_a_pool_that_holds_the_machine_is_refused() -> None:
    machine = {**document()["target"]["machines"][0], "address": "10.189.3.7"}
    (fault,) = refusals(document(target__machines=[machine]))
    assert "docker.address_pool holds the machine's own address 10.189.3.7" in fault


def test_a_role_or_a_pool_of_a_node_means_nothing_here() -> None:
    machine = {**document()["target"]["machines"][0], "role": "server"}
    assert refusals(document(target__machines=[machine])) == [
        "target.machines[0].role is not a setting; it takes name, address, host_key"
    ]


def test_a_type_that_is_not_sold_there_is_refused() -> None:
    """B030."""
    american = on_hetzner(locations=["ash"], server={"type": "cx43"})
    assert "cx43 is sold in Europe only" in refusals(american)[0]


def test_nothing_makes_the_machine_anew_that_holds_all_data() -> None:
    """B025."""
    assert "target.rebuild is not a setting" in refusals(on_hetzner(rebuild={"server-1": 1}))[0]


@pytest.mark.parametrize("key", ["servers", "computers", "network"])
def test_keys_of_rented_clusters_are_refused_by_name(key: str) -> None:
    (fault,) = refusals(on_hetzner(**{key: {}}))
    assert f"target.{key} belongs to Kubernetes" in fault


def test_a_preview_says_that_computers_share_the_kernel() -> None:
    """B053: what is no sandbox is never passed over in silence."""
    (warning,) = accepted(document()).warnings()
    assert "settings.runtime is runc" in warning
    assert "share the machine's kernel" in warning


def test_a_preview_says_what_computers_need_together() -> None:
    (note,) = accepted(document(computers__maximum=3, computers__memory="4Gi")).notes()
    assert "about 4 GiB for Rakazo and 4Gi for each of 3 computers, 16 GiB together" in note


def test_nobody_who_may_log_in_and_nothing_that_is_protected_are_warned_of() -> None:
    said = "\n".join(accepted(on_hetzner(admin_cidrs=[], protect=False)).warnings())
    assert "settings.target.admin_cidrs is empty" in said
    assert "settings.target.protect is false" in said


def test_a_gate_that_only_reports_is_warned_of() -> None:
    said = "\n".join(accepted(document(proof={"gate": "report"})).warnings())
    assert "settings.proof.gate is report" in said
