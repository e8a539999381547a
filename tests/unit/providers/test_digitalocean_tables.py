"""The tables of the stand-in for digitalocean: that they speak the SDK's language; that they are true, sources say."""

import pytest

from stacks.target.digitalocean_region import REGIONS
from tests.providers.digitalocean import catalogue, refusals
from tests.providers.digitalocean.account_type import AccountType
from tests.providers.digitalocean.refusals import Refusal
from tests.providers.digitalocean.replacements import REPLACES, UNORDERED
from tests.unit.providers.ocean import Ocean

OCEAN = Ocean()
TYPES = {each.kind: each for each in OCEAN.package._types.values() if isinstance(each, AccountType)}


def test_every_type_has_its_row_and_every_row_its_type() -> None:
    assert set(REPLACES) == set(TYPES)
    assert set(UNORDERED) <= set(TYPES)


@pytest.mark.parametrize("kind", sorted(REPLACES))
def test_a_row_names_inputs_that_the_sdk_has(kind: str) -> None:
    """A misspelt name would silently turn a replacement into an update."""
    named = {path.partition(".")[0] for path in REPLACES[kind] | UNORDERED.get(kind, frozenset())}
    assert named - TYPES[kind].schema.inputs == set()


def test_every_refusal_says_where_it_was_read() -> None:
    rows = {name: each for name, each in vars(refusals).items() if isinstance(each, Refusal)}
    assert len(rows) > 15
    assert [name for name, each in rows.items() if not each.source or not each.message] == []


def test_the_stand_in_knows_no_region_that_settings_do_not() -> None:
    assert set(catalogue.REGIONS) <= set(REGIONS)
    assert not set(catalogue.NO_KUBERNETES) & set(REGIONS)


def test_every_answer_has_what_the_sdk_reads() -> None:
    ocean = Ocean()
    vpc = ocean.vpc()
    ocean.cluster(vpc)
    assert ocean.ask("getVpc", id=vpc.id)["ipRange"] == "10.124.0.0/20"
    assert ocean.ask("getKubernetesCluster", name="team")["version"] == "1.36.3-do.0"
    assert ocean.ask("getKubernetesVersions", versionPrefix="1.36.")["validVersions"] == ["1.36.3-do.0"]
    assert len(ocean.ask("getSizes")["sizes"]) == 6
