"""Which version of Kubernetes is asked for, as a pure decision."""

import pytest

from components.targets.digitalocean.version import NoSuchVersionError, Version, choose_version, minor_of

OFFERED = ("1.37.1-do.0", "1.36.10-do.0", "1.36.9-do.3", "1.35.6-do.1", "1.35.6-do.10")


@pytest.mark.parametrize(("wanted", "slug"), [("1.36", "1.36.10-do.0"), ("1.35", "1.35.6-do.10")])
def test_a_new_cluster_gets_the_newest_patch_of_a_minor(wanted: str, slug: str) -> None:
    """B094: slugs are removed all the time, so none is written down."""
    assert choose_version(wanted, None, OFFERED) == Version(slug=slug, kept=False)


def test_a_minor_that_is_not_offered_is_answered_with_the_ones_that_are() -> None:
    """B094: also one that was retired."""
    with pytest.raises(
        NoSuchVersionError, match=r'"1.33", which DigitalOcean does not offer; write one of "1.37", "1.36"'
    ):
        choose_version("1.33", None, OFFERED)


@pytest.mark.parametrize("has", ["1.36.9-do.3", "1.36.10-do.0", "1.36.11-do.0", "1.36.0-do.0"])
def test_a_newer_patch_is_no_reason_to_touch_a_cluster(has: str) -> None:
    """B094: neither is one that DigitalOcean installed by itself, nor one that it no longer offers."""
    assert choose_version("1.36", has, OFFERED) == Version(slug=has, kept=True)


def test_the_next_minor_is_an_upgrade() -> None:
    assert choose_version("1.37", "1.36.9-do.3", OFFERED) == Version(slug="1.37.1-do.0", kept=False)


def test_a_cluster_is_never_made_anew_for_an_older_minor() -> None:
    """B094, B095: the provider would replace it, with all data."""
    with pytest.raises(NoSuchVersionError, match=r'cannot go back, only be made anew with all data lost; write "1.36"'):
        choose_version("1.35", "1.36.9-do.3", OFFERED)


def test_no_minor_is_left_out() -> None:
    with pytest.raises(NoSuchVersionError, match=r'one at a time; write "1.36" first'):
        choose_version("1.37", "1.35.6-do.1", OFFERED)


def test_a_cluster_whose_minor_is_no_longer_offered_stays_as_it_is() -> None:
    """A retired minor is refused for a new cluster, and no reason to lose one that runs it."""
    assert choose_version("1.34", "1.34.9-do.2", OFFERED).kept


def test_a_minor_is_read_as_numbers() -> None:
    assert minor_of("1.9.3-do.0") < minor_of("1.36.0-do.0")
