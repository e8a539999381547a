"""The target `hetzner` with three servers and two machines for computers, which have them to themselves.

Whole machines behind a stand-in of Hetzner's API, as in test_hetzner_target.py.
"""

import json
from collections.abc import Iterator

import pytest

from tests.deployments import steps
from tests.estate_cloud import EstateCloud, estate_cloud

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
FIRST = "rakazo-hetzner-ha-server-1"


@pytest.fixture(scope="module")
def cloud() -> Iterator[EstateCloud]:
    with estate_cloud("hetzner-ha") as made:
        yield made


def test_one_command_makes_three_servers_and_two_for_computers(cloud: EstateCloud) -> None:
    """B041: servers join one after the other, and agents when all of them are there."""
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "claims proven" in outcome.output
    made = [line.removeprefix("create server ") for line in cloud.project.history if line.startswith("create server ")]
    assert len(made) == 5
    machine = cloud.servers.named(FIRST)
    nodes = json.loads(machine.run(["k3s", "kubectl", "get", "nodes", "--output", "json"]).stdout)["items"]
    pools = {node["metadata"]["name"]: node["metadata"]["labels"]["rakazo-infra/pool"] for node in nodes}
    assert sorted(pools.values()) == ["computers", "computers", "system", "system", "system"], pools


def test_what_is_up_needs_no_change(cloud: EstateCloud) -> None:
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_one_changed_setting_is_one_update(cloud: EstateCloud) -> None:
    cloud.write({"application.web_replicas": 3})
    assert steps(cloud.stack.pulumi.must("preview", "--json")) == {"update": ["rakazo-web"]}
    cloud.write()


def test_destroy_leaves_nothing_in_the_project(cloud: EstateCloud) -> None:
    """B011."""
    outcome = cloud.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert cloud.project.summary() == {}
    assert cloud.estate.machines == {}
