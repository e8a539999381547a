"""Which servers the stand-in's data source finds: by labels and state, and refused when it does not understand."""

from typing import Any

import pytest

from tests.providers.hcloud.label_selector import matches
from tests.providers.refused import RefusedError
from tests.unit.providers.hetzner import CALL, Hetzner

TEAM = {"managed-by": "rakazo-infra", "rakazo-stack": "team"}


def found(hetzner: Hetzner, **asked: Any) -> list[str]:
    schema, function = hetzner.package.function("hcloud:index/getServers:getServers")
    assert schema.check(dict(asked)) == []
    answer = function(dict(asked), CALL)
    assert schema.fitting(answer) == []
    return [each["name"] for each in answer["servers"]]


def test_only_servers_with_all_the_labels_are_found() -> None:
    """B030: another stack's servers in the same project are none of ours."""
    hetzner = Hetzner()
    hetzner.server("ours", labels=TEAM)
    hetzner.server("theirs", labels={**TEAM, "rakazo-stack": "other"})
    hetzner.server("bare")
    assert found(hetzner, withSelector="managed-by=rakazo-infra,rakazo-stack=team") == ["ours"]
    assert found(hetzner) == ["ours", "theirs", "bare"]


def test_a_state_that_nothing_is_in_finds_nothing() -> None:
    hetzner = Hetzner()
    hetzner.server("ours", labels=TEAM)
    assert found(hetzner, withStatuses=["running"]) == ["ours"]
    assert found(hetzner, withStatuses=["off", "starting"]) == []


def test_a_server_is_told_with_its_addresses_and_interfaces() -> None:
    hetzner = Hetzner()
    network, subnet = hetzner.network()
    hetzner.server("ours", networks=[{"subnetId": subnet.id, "ip": "10.0.1.11"}])
    _, function = hetzner.package.function("hcloud:index/getServers:getServers")
    (server,) = function({}, CALL)["servers"]
    assert server["ipv4Address"].startswith("192.175.48.")
    assert [(each["networkId"], each["ip"]) for each in server["networks"]] == [(int(network.id), "10.0.1.11")]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("", True),
        ("rakazo-stack", True),
        ("!rakazo-stack", False),
        ("!other", True),
        ("rakazo-stack==team", True),
        ("rakazo-stack!=team", False),
        ("other!=anything", True),
        ("managed-by=rakazo-infra, rakazo-stack=team", True),
        ("managed-by=rakazo-infra,rakazo-stack=other", False),
        ("rakazo-stack=", False),
    ],
)
def test_a_selector_holds_when_every_part_does(selector: str, expected: bool) -> None:
    assert matches(selector, TEAM) is expected


@pytest.mark.parametrize("selector", ["a=b,", "=b", "a in (b)", "!a=b", "a=b=c", "a;b"])
def test_what_is_no_selector_is_refused(selector: str) -> None:
    with pytest.raises(RefusedError, match="invalid label selector"):
        matches(selector, TEAM)
