"""Limits of one computer and of all of them, by what LimitRange and quota say."""

import json
import re
from fractions import Fraction

import pytest

from components.kubernetes import quantity
from components.rakazo.quota import Size, render_hard
from components.rakazo.startup_wait import render_patch
from tests.unit.rakazo import surroundings
from tests.unit.rakazo.surroundings import LIMITS, RESERVE, quota_args
from tests.unit.recorder import record

RESOURCES = ("cpu", "memory", "ephemeral-storage")


def test_where_a_quota_counts_a_limit_range_gives_what_rakazo_leaves_out() -> None:
    """B064: a quota alone refuses every pod without limits, and Rakazo writes none unless told to."""
    recorded = record(surroundings.declare_quota)
    (item,) = recorded.only("LimitRange").inputs["spec"]["limits"]
    hard = recorded.only("ResourceQuota").inputs["spec"]["hard"]
    assert item["type"] == "Container"
    for resource in RESOURCES:
        assert {f"limits.{resource}", f"requests.{resource}"} <= set(hard)
        assert resource in item["default"]
        assert resource in item["defaultRequest"]
    assert recorded.only("ResourceQuota").namespace == recorded.only("LimitRange").namespace


def test_the_quota_comes_after_the_defaults_without_which_it_refuses_everything() -> None:
    """B064: between the two, no computer could start."""
    recorded = record(surroundings.declare_quota)
    assert recorded.only("LimitRange").urn in recorded.only("ResourceQuota").dependencies


def test_a_reserve_lowers_what_is_booked_and_not_what_may_be_used() -> None:
    """B065: booking the limits fits three computers where their real need would fit many."""
    recorded = record(lambda: surroundings.declare_quota(requests=RESERVE))
    (item,) = recorded.only("LimitRange").inputs["spec"]["limits"]
    assert item["default"] == LIMITS.as_resources()
    assert item["defaultRequest"] == RESERVE.as_resources()


def test_a_computer_with_larger_limits_than_configured_is_refused() -> None:
    """B064, B129: one stray pod of twenty cores would use up what the quota holds for all."""
    (item,) = record(lambda: surroundings.declare_quota(requests=RESERVE)).only("LimitRange").inputs["spec"]["limits"]
    assert item["max"] == LIMITS.as_resources()


def test_what_a_pod_brings_within_its_limits_is_left_alone() -> None:
    """B065: a minimum or a ratio would refuse what Rakazo writes, or the small reserve beside large limits."""
    (item,) = record(surroundings.declare_quota).only("LimitRange").inputs["spec"]["limits"]
    assert set(item) == {"type", "default", "defaultRequest", "max"}


@pytest.mark.parametrize("requests", [LIMITS, RESERVE], ids=["by limits", "by reserve"])
def test_the_wait_before_a_computer_stays_within_the_maximum(requests: Size) -> None:
    """B066: a wait that the LimitRange refused would refuse every computer with it."""
    (item,) = record(lambda: surroundings.declare_quota(requests=requests)).only("LimitRange").inputs["spec"]["limits"]
    written = [json.loads(found) for found in re.findall(r"orValue\(({.*})\)", render_patch(LIMITS, requests))]
    assert len(written) == 2
    for amounts in written:
        assert set(amounts) == set(item["max"])
        for resource, amount in amounts.items():
            assert quantity.parse(amount) <= quantity.parse(item["max"][resource])


@pytest.mark.parametrize("maximum", [1, 3, 10, 250])
def test_exactly_the_maximum_fits_with_the_sandboxs_overhead(maximum: int) -> None:
    """B064: Kubernetes counts a class's overhead, so it is part of the figure: n fit, one more does not."""
    hard = render_hard(quota_args(requests=RESERVE, maximum=maximum))
    for kind, size in (("requests", RESERVE), ("limits", LIMITS)):
        for resource, each, overhead in (
            ("cpu", size.cpu, "50m"),
            ("memory", size.memory, "64Mi"),
            ("ephemeral-storage", size.ephemeral_storage, "0"),
        ):
            one = quantity.parse(each) + quantity.parse(overhead)
            assert quantity.parse(hard[f"{kind}.{resource}"]) / one == Fraction(maximum)
    assert hard["pods"] == str(maximum)


def test_the_figures_are_those_of_the_default_stack() -> None:
    """B129: what strays cannot be more than this."""
    assert render_hard(quota_args()) == {
        "pods": "10",
        "services": "0",
        "persistentvolumeclaims": "0",
        "count/ingresses.networking.k8s.io": "0",
        "requests.cpu": "20500m",
        "requests.memory": "41600Mi",
        "requests.ephemeral-storage": "100Gi",
        "limits.cpu": "20500m",
        "limits.memory": "41600Mi",
        "limits.ephemeral-storage": "100Gi",
    }


def test_no_service_can_live_among_the_computers() -> None:
    """B101: Kubernetes would write its address into every computer's environment."""
    assert render_hard(quota_args())["services"] == "0"
