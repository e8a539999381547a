"""Until when a release of Kubernetes is supported, and by whom."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

WARNED_BEFORE = timedelta(days=60)


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """Who supports which release until when."""

    who: str
    what: str
    """What ends."""
    after: str
    """What follows from it."""
    source: str
    ends: Mapping[str, date]
    """Major and minor to the last day. What is not listed is unknown, not unsupported."""
    refuses: bool
    """Whether a release is refused after its last day: the cloud itself would move or refuse it."""


COMMUNITY = Calendar(
    who="Kubernetes",
    what="fixes",
    after="holes in it stay open",
    source="kubernetes.io/releases, September 2026",
    ends={
        "1.30": date(2025, 6, 28),
        "1.31": date(2025, 10, 28),
        "1.32": date(2026, 2, 28),
        "1.33": date(2026, 6, 28),
        "1.34": date(2026, 10, 27),
        "1.35": date(2027, 2, 28),
        "1.36": date(2027, 6, 28),
    },
    refuses=False,
)
EKS = Calendar(
    who="EKS",
    what="standard support",
    after="the control plane is upgraded by AWS, or costs $0.60 instead of $0.10 an hour",
    source="the EKS user guide's release calendar, November 2026",
    ends={
        "1.30": date(2025, 7, 23),
        "1.31": date(2025, 11, 26),
        "1.32": date(2026, 3, 23),
        "1.33": date(2026, 7, 29),
        "1.34": date(2026, 12, 2),
        "1.35": date(2027, 3, 27),
    },
    refuses=True,
)
CALENDARS: Mapping[str, Calendar] = {"eks": EKS}
"""Kind of target to its own calendar; every other one goes by the community's."""


def retired(target: str, version: str, today: date) -> str | None:
    """Say why a release can no longer be used on a target, or None."""
    calendar = CALENDARS.get(target, COMMUNITY)
    end = calendar.ends.get(version)
    if not calendar.refuses or end is None or today <= end:
        return None
    return (
        f"target.kubernetes_version is {version}, for which {calendar.who}'s {calendar.what} ended on {end}: "
        f"{calendar.after}. Write {_supported(calendar, today)}, one minor at a time"
    )


def warnings(target: str, version: str, today: date) -> Iterator[str]:
    """Yield what a preview tells of a release whose end has come or is near."""
    calendar = CALENDARS.get(target, COMMUNITY)
    end = calendar.ends.get(version)
    if end is None or today < end - WARNED_BEFORE or (calendar.refuses and today > end):
        return
    ended = "ended" if today > end else "ends"
    yield (
        f"settings.target is Kubernetes {version}, for which {calendar.who}'s {calendar.what} {ended} on {end}: "
        f"{calendar.after}. Write {_supported(calendar, today)}, one minor at a time."
    )


def _supported(calendar: Calendar, today: date) -> str:
    """Name the oldest release that stays for a while; the newest that is known when none does."""
    staying = [version for version, end in calendar.ends.items() if end - WARNED_BEFORE > today]
    return f'"{staying[0] if staying else list(calendar.ends)[-1]}" or newer'
