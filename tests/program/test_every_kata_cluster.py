"""What holds for every committed stack file whose computers are virtual machines on nodes of the stack's own."""

import pytest

from components.runtimes import kata_chart
from tests.program.stack_files import STACK_NAMES, facts_of, settings_of
from tests.unit.graph import everything_before
from tests.unit.recorder import Recorder

INSTALLING = [
    name
    for name in STACK_NAMES
    if settings_of(name).runtime.kind == "kata" and settings_of(name).target.kind != "existing"
]
assert INSTALLING, "no stack installs Kata, so nothing would be tested"


@pytest.fixture(params=INSTALLING)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_no_class_promises_kata_where_nobody_installs_it(recorded: Recorder) -> None:
    """B047: computers wait for a node of theirs that has it, and the class waits for the release as a whole."""
    (release,) = recorded.of_kind("Release")
    registered = recorded.only("RuntimeClass")
    assert release.name in everything_before(recorded, registered)
    assert registered.inputs["scheduling"]["nodeSelector"][kata_chart.INSTALLED] == "true"
    assert facts_of(recorded).node_labels[kata_chart.INSTALLED] == "true"


def test_what_is_installed_never_moves_by_itself(recorded: Recorder) -> None:
    (release,) = recorded.of_kind("Release")
    assert release.inputs["version"].count(".") == 2
    assert release.inputs["values"]["kubectlImage"]["tag"] not in ("", "latest")


@pytest.mark.parametrize("stack", [name for name in INSTALLING if settings_of(name).target.kind == "eks"])
def test_every_node_of_computers_starts_with_virtualization_inside(recorded: Recorder) -> None:
    """B052: a group of EKS' own would forget it without a word."""
    (group,) = recorded.of_kind("Group")
    (own,) = [item for item in recorded.of_kind("LaunchTemplate") if "cpuOptions" in item.inputs]
    assert own.inputs["cpuOptions"] == {"nestedVirtualization": "enabled"}
    assert own.name in everything_before(recorded, group)
    managed = [item for item in recorded.of_kind("NodeGroup") if item.typ.startswith("aws:")]
    assert [item.inputs["labels"] for item in managed] == [{"rakazo-infra/pool": "system"}]
