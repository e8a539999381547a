"""Quantities are exact, as the API server counts them."""

from fractions import Fraction

import pytest

from components.kubernetes import quantity


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", Fraction(2)),
        ("0.5", Fraction(1, 2)),
        (".5", Fraction(1, 2)),
        ("500m", Fraction(1, 2)),
        ("100n", Fraction(1, 10**7)),
        ("250u", Fraction(1, 4000)),
        ("4Gi", Fraction(4 * 2**30)),
        ("1.5Ki", Fraction(1536)),
        ("1Ei", Fraction(2**60)),
        ("10G", Fraction(10**10)),
        ("2k", Fraction(2000)),
        ("1E", Fraction(10**18)),
        ("1e3", Fraction(1000)),
        ("1E3", Fraction(1000)),
        ("5e-1", Fraction(1, 2)),
        ("-1", Fraction(-1)),
        ("0", Fraction(0)),
    ],
)
def test_a_quantity_means_what_kubernetes_says(text: str, value: Fraction) -> None:
    assert quantity.parse(text) == value


@pytest.mark.parametrize("text", ["", "Gi", "4 Gi", "4GB", "4gi", "4K", "1,5", "two", "1e", "0x10", "1.2.3", "4Gi "])
def test_anything_else_is_refused_with_the_line_to_write(text: str) -> None:
    with pytest.raises(ValueError, match="is no Kubernetes quantity: write a number with an optional suffix"):
        quantity.parse(text)


@pytest.mark.parametrize(
    ("cores", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(2), "2"),
        (Fraction(1, 2), "500m"),
        (Fraction(41, 20), "2050m"),
        (Fraction(1, 3000), "1m"),
        (Fraction(10001, 10000), "1001m"),
    ],
)
def test_cores_are_written_in_whole_or_in_thousandths_rounded_up(cores: Fraction, text: str) -> None:
    assert quantity.format_cpu(cores) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(1023), "1023"),
        (Fraction(1024), "1Ki"),
        (Fraction(1536), "1536"),
        (Fraction(3 * 2**30), "3Gi"),
        (Fraction(2**30 + 2**20), "1025Mi"),
        (Fraction(10**9), "1000000000"),
        (Fraction(1, 2), "1"),
    ],
)
def test_bytes_carry_the_largest_suffix_that_keeps_them_exact(amount: Fraction, text: str) -> None:
    assert quantity.format_bytes(amount) == text


def test_writing_and_reading_returns_the_same_amount() -> None:
    for exponent in range(61):
        for odd in (1, 3, 1023):
            amount = Fraction(odd * 2**exponent)
            assert quantity.parse(quantity.format_bytes(amount)) == amount
            assert quantity.parse(quantity.format_cpu(amount / 1000)) == amount / 1000


def test_totals_lose_nothing_where_floating_point_would() -> None:
    assert quantity.total_cpu(3, "0.1", "200m") == "900m"
    assert quantity.total_bytes(10, "4Gi", "64Mi") == "41600Mi"
