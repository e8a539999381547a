"""Until when a release of Kubernetes is of use: told in time, and refused where the cloud would refuse it."""

from datetime import date

import pytest

from stacks.kubernetes_version import OLDEST, parse_version
from stacks.load import support_faults
from stacks.support import CALENDARS, COMMUNITY, EKS, retired, warnings

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize("version", ["1.30", "1.33"])
def test_a_release_without_standard_support_is_refused_on_eks(version: str) -> None:
    """B090: it would cost six times as much, or be upgraded behind the stack's back."""
    (fault,) = support_faults("eks", version, TODAY)
    assert fault.startswith(f"rakazo:settings.target.kubernetes_version is {version}, for which EKS's standard support")
    assert '$0.60 instead of $0.10 an hour. Write "1.35" or newer, one minor at a time' in fault
    assert list(warnings("eks", version, TODAY)) == []


def test_the_end_is_told_sixty_days_before_and_on_the_last_day() -> None:
    """B090."""
    end = EKS.ends["1.34"]
    assert list(warnings("eks", "1.34", date(2026, 10, 2))) == []
    (told,) = warnings("eks", "1.34", date(2026, 10, 3))
    assert f"EKS's standard support ends on {end}" in told
    assert len(list(warnings("eks", "1.34", end))) == 1
    assert retired("eks", "1.34", end) is None
    assert retired("eks", "1.34", date(2026, 12, 3)) is not None


@pytest.mark.parametrize("target", ["existing", "server", "hetzner", "digitalocean", "gke"])
def test_elsewhere_the_communitys_calendar_warns_and_refuses_nothing(target: str) -> None:
    """A cluster that runs goes on running; what ends is the fixes."""
    (told,) = warnings(target, "1.33", TODAY)
    assert 'Kubernetes\'s fixes ended on 2026-06-28: holes in it stay open. Write "1.35" or newer' in told
    assert retired(target, "1.33", TODAY) is None
    assert list(warnings(target, "1.36", TODAY)) == []


@pytest.mark.parametrize("target", ["eks", "existing"])
def test_what_nobody_knows_is_neither_refused_nor_warned_of(target: str) -> None:
    assert retired(target, "1.99", date(2040, 1, 1)) is None
    assert list(warnings(target, "1.99", date(2040, 1, 1))) == []


def test_when_no_known_release_is_left_the_newest_is_named() -> None:
    assert 'Write "1.35" or newer' in str(retired("eks", "1.33", date(2040, 1, 1)))


@pytest.mark.parametrize("calendar", [COMMUNITY, *CALENDARS.values()], ids=lambda calendar: calendar.who)
def test_a_calendar_is_in_order_and_begins_where_stacks_do(calendar: object) -> None:
    assert isinstance(calendar, type(COMMUNITY))
    versions = [parse_version(version) for version in calendar.ends]
    assert versions[0] == OLDEST
    assert versions == sorted(versions)
    assert list(calendar.ends.values()) == sorted(calendar.ends.values())
