"""What holds for every committed stack file that rents servers at Hetzner."""

from itertools import product
from typing import Any

import pytest

from components.deployment import deploy
from tests.program.stack_files import STACK_NAMES, settings_of, stack_file
from tests.unit import recorder as engine
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.outputs import hetzner
from tests.unit.recorder import Recorder, Registered, Secret, record

RENTED = [name for name in STACK_NAMES if settings_of(name).target.kind == "hetzner"]
assert RENTED, "no stack rents servers, so nothing would be tested"
WORLD = {"0.0.0.0/0", "::/0"}


@pytest.fixture(params=RENTED)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def rented(recorded: Recorder) -> list[Registered]:
    found = [item for item in recorded.seen if item.typ.startswith("hcloud:")]
    assert len(found) > 5
    return found


def test_hetzners_default_provider_is_switched_off(stack: str) -> None:
    """B004: nothing is ordered with the token of the operator's shell."""
    assert "hcloud" in stack_file(stack)["pulumi:disable-default-providers"]


def test_no_committed_file_has_a_token() -> None:
    """B122: also none that is encrypted, which would be somebody's."""
    assert [key for name in STACK_NAMES for key in stack_file(name) if "token" in key or "private_key" in key] == []


def test_no_server_is_replaced_by_a_setting(recorded: Recorder) -> None:
    """B025."""
    for server in recorded.of_kind("Server"):
        assert {"userData", "image", "sshKeys", "placementGroupId", "location"} <= set(server.ignore_changes)
        assert server.delete_before_replace, "B043: its private address is taken until it is gone"
        assert server.protect
        assert server.inputs["name"] in server.inputs["userData"].value


def test_no_input_names_a_data_centre(recorded: Recorder) -> None:
    """B031."""
    assert [item.name for item in rented(recorded) if "datacenter" in str(item.inputs).lower()] == []


def test_everything_on_the_network_names_its_subnet(recorded: Recorder) -> None:
    """B027."""
    (subnet,) = recorded.of_kind("NetworkSubnet")
    for server in recorded.of_kind("Server"):
        assert all("subnetId" in network for network in server.inputs["networks"])
        assert subnet.urn in server.dependencies


def test_the_internet_is_let_in_nowhere(recorded: Recorder) -> None:
    """B040: no port of the cluster for anybody but administrators, and no range of ports for anybody."""
    (firewall,) = recorded.of_kind("Firewall")
    rules: list[dict[str, Any]] = firewall.inputs["rules"]
    world = [rule for rule in rules if WORLD & set(rule["sourceIps"])]
    assert [rule["protocol"] for rule in world] == ["icmp"]
    assert {rule["port"] for rule in rules if rule not in world} == {"22", "6443"}
    assert {rule["direction"] for rule in rules} == {"in"}


def test_no_placement_group_has_an_eleventh_server(recorded: Recorder) -> None:
    """B032."""
    groups = [server.inputs["placementGroupId"] for server in recorded.of_kind("Server")]
    assert max(groups.count(group) for group in groups) <= 10


def test_no_user_data_holds_a_secret_of_the_stack(recorded: Recorder) -> None:
    """Whatever runs on a server can ask for it, and a pod that got through would be whatever."""
    for server, secret in product(recorded.of_kind("Server"), secrets_of("hetzner").values()):
        assert isinstance(server.inputs["userData"], Secret)
        assert secret not in server.inputs["userData"].value


def test_two_stacks_of_one_project_share_no_name(stack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B037: neither servers nor what lies around them."""

    def names(of: str) -> set[tuple[str, str]]:
        monkeypatch.setattr(engine, "STACK", of)
        settings = settings_of(stack)
        made = record(lambda: deploy(settings, secret_outputs(**secrets_of("hetzner"))), answers=hetzner())
        return {(item.kind, item.inputs["name"]) for item in rented(made) if "name" in item.inputs}

    assert names("dev") & names("production") == set()
