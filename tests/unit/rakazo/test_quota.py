"""Limits of one computer and of all of them, by what LimitRange and quota say."""

from fractions import Fraction

import pytest

from components.kubernetes import quantity
from components.rakazo.quota import render_hard
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


def test_the_limit_range_leaves_limits_that_a_pod_brings_alone() -> None:
    """B065: defaults fill gaps; a maximum, minimum or ratio would refuse or change what Rakazo writes."""
    (item,) = record(surroundings.declare_quota).only("LimitRange").inputs["spec"]["limits"]
    assert set(item) == {"type", "default", "defaultRequest"}


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
