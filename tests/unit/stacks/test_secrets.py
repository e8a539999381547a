"""Secrets: what is refused, and that no message or log ever holds one."""

from typing import Any

import pytest

from stacks.secrets import HEX_KEYS, PASSWORDS, faults_of, write_line
from tests.unit.example import SECRETS

SAMPLE = "fedcba9876543210" * 4


def test_the_example_is_accepted() -> None:
    assert faults_of(SECRETS) == []


@pytest.mark.parametrize("key", HEX_KEYS)
@pytest.mark.parametrize(
    "value", [SAMPLE[:63], SAMPLE + "0", SAMPLE.upper(), "", "0" * 64, "01" * 32, SAMPLE[:63] + "\n", "x" * 64]
)
def test_a_key_that_is_not_64_random_hexadecimal_digits_is_refused(key: str, value: str) -> None:
    """B122: too short, a placeholder, or with a newline from a file."""
    assert faults_of({**SECRETS, key: value}) == [
        (
            f"rakazo:{key} is not 64 lower-case hexadecimal digits of random data; "
            f'write: openssl rand -hex 32 | tr -d "\\n" | pulumi config set --secret {key}'
        )
    ]


@pytest.mark.parametrize("key", PASSWORDS)
@pytest.mark.parametrize("value", [SAMPLE[:31], "p@ss:/w#rd?%" * 4, "0" * 32, ""])
def test_a_password_that_is_not_random_hexadecimal_digits_is_refused(key: str, value: str) -> None:
    """B111: it becomes part of a URL, and Rakazo's own migration takes hexadecimal ones only."""
    assert faults_of({**SECRETS, key: value}) == [
        (
            f"rakazo:{key} is not 32 or more lower-case hexadecimal digits of random data; "
            f'write: openssl rand -hex 16 | tr -d "\\n" | pulumi config set --secret {key}'
        )
    ]


PAIRS = [
    (first, second)
    for first in SECRETS
    for second in SECRETS
    if list(SECRETS).index(first) < list(SECRETS).index(second)
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_no_two_secrets_are_the_same(first: str, second: str) -> None:
    """B122: the app compares only what one process can see; each pair is named without its value."""
    (fault,) = faults_of({**SECRETS, first: SAMPLE, second: SAMPLE})
    assert fault.startswith(f"rakazo:{first} and rakazo:{second} are the same; write: openssl rand")


def test_every_pair_is_compared() -> None:
    assert len(PAIRS) == 10


def test_a_message_never_holds_any_part_of_a_value() -> None:
    """B122: messages end in logs of continuous integration."""
    wrong: dict[str, Any] = {key: f"Secret{index}Value" for index, key in enumerate([*HEX_KEYS, *PASSWORDS])}
    faults = faults_of(wrong)

    assert len(faults) == 5
    assert "Value" not in "".join(faults)


def test_a_model_key_is_asked_for_without_making_one_up() -> None:
    assert write_line("openrouter_api_key") == "write: pulumi config set --secret openrouter_api_key"
