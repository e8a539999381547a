"""Who may reach SSH and the Kubernetes API."""

import pytest

from stacks.load import read_settings
from tests.unit.stacks.server_stack import accepted, document, refusals, target


def test_it_has_to_be_written() -> None:
    """B038: no default is ever right, and the widest would be used."""
    (fault,) = refusals(admin_cidrs=None)
    assert fault.startswith("target.admin_cidrs is missing; write admin_cidrs: …  # Who may reach SSH and")


def test_nobody_is_nobody_and_told() -> None:
    """B038: an empty list opens nothing."""
    assert target(admin_cidrs=[]).admin_cidrs == ()
    assert [warning for warning in accepted(admin_cidrs=[]).warnings() if "admin_cidrs is empty" in warning]


@pytest.mark.parametrize("everybody", ["0.0.0.0/0", "::/0"])
def test_everybody_is_refused(everybody: str) -> None:
    """B038."""
    (fault,) = refusals(admin_cidrs=["198.51.100.7/32", everybody])
    assert fault.startswith("target.admin_cidrs[1] is everybody: SSH and the Kubernetes API would be open")


@pytest.mark.parametrize("half", ["0.0.0.0/1", "128.0.0.0/1", "::/1", "2000::/3", "64.0.0.0/7"])
def test_everybody_in_parts_is_refused(half: str) -> None:
    """B038: two lines that are the whole internet."""
    (fault,) = refusals(admin_cidrs=[half])
    assert "is wider than /" in fault


@pytest.mark.parametrize("wrong", ["10.0.0.1/8", "198.51.100.7/24", "office", "198.51.100", "198.51.100.7/33", ""])
def test_what_is_no_range_is_refused(wrong: str) -> None:
    """B038: host bits show that somebody meant another range."""
    (fault,) = refusals(admin_cidrs=[wrong])
    assert fault.startswith("target.admin_cidrs[0] is not an address range")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1.2.3.4", "1.2.3.4/32"),
        ("5.6.7.0/24", "5.6.7.0/24"),
        ("2001:db8::7", "2001:db8::7/128"),
        ("2001:DB8:7::/48", "2001:db8:7::/48"),
    ],
)
def test_one_address_is_a_range_of_one(written: str, meant: str) -> None:
    """B038: as people copy it."""
    assert target(admin_cidrs=[written]).admin_cidrs == (meant,)


def test_null_is_not_nobody() -> None:
    """B038: a key without a value is a mistake, not a choice."""
    settings = document()
    settings["target"]["admin_cidrs"] = None
    assert read_settings(settings) == ["rakazo:settings.target.admin_cidrs must be a list"]
