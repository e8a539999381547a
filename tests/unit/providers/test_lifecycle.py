"""Comparisons, names and previews, as every type has them."""

from typing import Any

import pytest

from tests.providers import lifecycle
from tests.providers.call import Call
from tests.providers.difference import difference
from tests.providers.lifecycle import DEFAULTS
from tests.providers.resource_type import Resource
from tests.providers.values import UNKNOWN, Secret
from tests.unit.providers.hetzner import RULE, Hetzner, server

PREVIEW = Call(urn="urn", name="thing", preview=True)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": Secret("x")}, {"a": "x"}, {}),
        ({"__defaults": ["name"]}, {}, {}),
        ({"a": {"b": 1}}, {"a": {"b": 2, "c": 3}}, {"a.b": "UPDATE", "a.c": "ADD"}),
        ({"a": [1, 2]}, {"a": [1]}, {"a[1]": "DELETE"}),
        ({"a": UNKNOWN}, {"a": UNKNOWN}, {"a": "UPDATE"}),
        ({"labels": {"x.y/z": "1"}}, {"labels": {"x.y/z": "2"}}, {'labels["x.y/z"]': "UPDATE"}),
    ],
)
def test_changes_are_paths_that_the_engine_understands(
    old: dict[str, Any], new: dict[str, Any], changes: dict[str, str]
) -> None:
    assert difference(old, new) == changes


def test_order_means_nothing_where_the_provider_has_sets() -> None:
    other = {**RULE, "port": "80", "sourceIps": ["10.0.0.0/8", "0.0.0.0/0"]}
    turned = {**other, "sourceIps": ["0.0.0.0/0", "10.0.0.0/8"]}
    kind = Hetzner().type("Firewall")
    assert lifecycle.compare(kind, {"rules": [RULE, other]}, {"rules": [turned, RULE]}).changes == {}
    assert lifecycle.compare(kind, {"rules": [RULE]}, {"rules": [other]}).changes != {}


def named(hetzner: Hetzner, olds: dict[str, Any], seed: bytes) -> dict[str, Any]:
    inputs, failures = lifecycle.check(
        hetzner.package, hetzner.type("Network"), {"ipRange": "10.0.0.0/16"}, olds, name="net", seed=seed
    )
    assert failures == []
    return inputs


def test_a_name_that_is_made_up_stays_for_as_long_as_the_resource_lives() -> None:
    """The seed of a preview differs from the one of the deployment; a replacement begins with nothing."""
    first = named(Hetzner(), {}, b"\x01\x02\x03\x04")
    assert (first["name"], first[DEFAULTS]) == ("net-0102030", ["name"])
    assert named(Hetzner(), first, b"\x09\x09\x09\x09")["name"] == "net-0102030"
    assert named(Hetzner(), {}, b"\x09\x09\x09\x09")["name"] == "net-0909090"


def test_only_a_name_that_the_program_chose_makes_the_old_resource_go_first() -> None:
    hetzner = Hetzner()
    kind = hetzner.type("Network")
    made_up = named(hetzner, {}, b"\x01\x02\x03\x04")
    chosen = {**made_up, "name": "net", DEFAULTS: []}
    assert not lifecycle.compare(kind, made_up, {**made_up, "ipRange": "10.1.0.0/16"}).deletes_first
    assert lifecycle.compare(kind, chosen, {**chosen, "ipRange": "10.1.0.0/16"}).deletes_first
    # Whatever the successor is called: so is the bridge's rule.
    assert lifecycle.compare(kind, chosen, {**chosen, "name": "other", "ipRange": "10.1.0.0/16"}).deletes_first


def test_a_preview_knows_what_is_given_and_nothing_else() -> None:
    hetzner = Hetzner()
    inputs, _ = hetzner.checked("Server", **server(userData=Secret("#cloud-config")))
    made = lifecycle.create(hetzner.type("Server"), inputs, PREVIEW)
    assert made.id == ""
    assert (made.outputs["name"], made.outputs["ipv4Address"]) == ("rakazo-1", UNKNOWN)
    assert made.outputs["userData"] == Secret("#cloud-config")
    assert hetzner.project.summary() == {}


def test_a_preview_of_an_update_keeps_what_the_cloud_decided() -> None:
    hetzner = Hetzner()
    old = hetzner.server()
    outputs = lifecycle.update(hetzner.type("Server"), old, {**old.inputs, "labels": {"a": "b"}}, PREVIEW)
    assert (outputs["ipv4Address"], outputs["labels"]) == ("192.175.48.101", {"a": "b"})
    assert hetzner.project.all("server")[old.id].get("labels") is None


def test_an_import_knows_the_id_alone() -> None:
    hetzner = Hetzner()
    made = hetzner.make("Network", name="net", ipRange="10.0.0.0/16")
    found = hetzner.read("Network", Resource(id=made.id, inputs={}, outputs={}))
    assert found is not None
    assert found.inputs == {"name": "net", "ipRange": "10.0.0.0/16"}
    assert hetzner.read("Network", Resource(id="1", inputs={}, outputs={})) is None
