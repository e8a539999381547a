"""How many computers fit, and what a preview says about it."""

import pytest

from stacks.computers import Amount, computers_per_node
from stacks.load import read_settings
from stacks.quantity import cpu_millis, size_bytes
from tests.unit.example import document, settings

LARGE = {"count": 1, "allocatable": {"cpu": "7900m", "memory": "15Gi"}}
SMALL = {"count": 3, "allocatable": {"cpu": "1900m", "memory": "7Gi"}}


def test_limits_alone_put_three_computers_on_a_node_of_8_cpu_and_16_gb() -> None:
    """B065: Kubernetes copies limits into requests, so 2 CPU and 4Gi are booked by each."""
    warnings = list(
        settings(
            computers__reserve=None, computers__memory="4Gi", computers__nodes=LARGE, computers__maximum=4
        ).warnings()
    )

    assert warnings == [
        (
            "settings.computers.maximum is 4, but only 3 fit (3 on each of 1 nodes): the others would wait. "
            "Set computers.reserve, lower the maximum or add nodes."
        )
    ]


@pytest.mark.parametrize(("maximum", "warned"), [(2, True), (3, False)])
def test_a_maximum_without_room_for_a_verification_is_warned_about(maximum: int, warned: object) -> None:
    warnings = list(settings(computers__maximum=maximum).warnings())
    assert [line for line in warnings if not line.startswith(f"settings.computers.maximum is {maximum}: a verif")] == []
    assert bool(warnings) is warned


def test_a_reserve_puts_many_more_on_the_same_node() -> None:
    """B065: an idle desktop needs a tenth of its limit."""
    booked, overhead = Amount(cpu="250m", memory="512Mi"), Amount(cpu="50m", memory="64Mi")
    assert computers_per_node(booked, Amount(cpu="7900m", memory="15Gi"), overhead) == 26


def test_a_node_too_small_for_one_computer_is_refused_with_the_line_to_write() -> None:
    """B065: a computer of 2 CPU never starts on a node of 2 CPU, of which the node keeps some."""
    faults = read_settings(document(computers__reserve=None, computers__nodes=SMALL))

    assert isinstance(faults, list)
    assert faults[0].startswith("rakazo:settings: computers: not even one fits a node of computers.nodes")
    assert 'reserve: {cpu: "250m", memory: "512Mi"}' in faults[0]


def test_overhead_of_the_sandbox_counts() -> None:
    """B064: it is booked with every pod."""
    exact = {"count": 1, "allocatable": {"cpu": "2", "memory": "4Gi"}}
    changes = {"computers__reserve": None, "computers__memory": "4Gi", "computers__nodes": exact}
    assert isinstance(read_settings(document(**changes)), list)
    assert not isinstance(read_settings(document(**changes, runtime={"kind": "runc"})), list)


def test_nodes_that_hold_the_maximum_cause_no_warning() -> None:
    assert list(settings(computers__nodes=LARGE).warnings()) == []


@pytest.mark.parametrize(
    ("key", "reserve"),
    [
        ("cpu", {"cpu": "2001m", "memory": "1Gi"}),
        ("memory", {"cpu": "1", "memory": "3Gi"}),
        ("ephemeral_storage", {"cpu": "1", "memory": "1Gi", "ephemeral_storage": "3Gi"}),
    ],
)
def test_a_reserve_above_the_limit_is_refused(key: str, reserve: dict[str, str]) -> None:
    """B064: the API server refuses such a LimitRange."""
    reserve.setdefault("ephemeral_storage", "1Gi")
    assert read_settings(document(computers__reserve=reserve)) == [
        f"rakazo:settings.computers: reserve.{key} is more than {key}; a computer cannot book more than its limit"
    ]


def test_without_a_reserve_a_computer_books_its_limits() -> None:
    booked = settings(computers__reserve=None).computers.booked
    assert (booked.cpu, booked.memory, booked.ephemeral_storage) == ("2", "2Gi", "2Gi")


def test_no_sandbox_is_warned_about() -> None:
    (warning,) = settings(runtime={"kind": "runc"}).warnings()
    assert warning.startswith("settings.runtime is runc: computers share the kernel of their node")


@pytest.mark.parametrize(("text", "millis"), [("2", 2000), ("0.5", 500), ("500m", 500), ("1.234", 1234)])
def test_cpu_is_read_in_both_notations(text: str, millis: int) -> None:
    assert cpu_millis(text) == millis


@pytest.mark.parametrize("text", ["", "0", "0m", "-1", "two", "1.2345", "2 ", "1e3"])
def test_what_is_no_amount_of_cpu_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cpu"):
        cpu_millis(text)


@pytest.mark.parametrize(("text", "size"), [("1Ki", 1024), ("2G", 2 * 10**9), ("512Mi", 2**29), ("7", 7)])
def test_sizes_are_read_in_both_systems(text: str, size: int) -> None:
    assert size_bytes(text) == size


@pytest.mark.parametrize("text", ["", "0", "1.5Gi", "4GB", "4 Gi", "gi", "-1Gi"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size"):
        size_bytes(text)
