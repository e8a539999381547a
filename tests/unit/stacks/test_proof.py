"""The gate's settings."""

import pytest
from pydantic import ValidationError

from stacks.proof import ProofSettings
from tests.unit.example import settings


def test_a_stack_that_says_nothing_enforces_its_gate() -> None:
    assert settings(proof=None).proof == ProofSettings(gate="enforce", neighbours=())


def test_a_gate_that_only_reports_is_warned_about_at_every_preview() -> None:
    """A lowered gate is never silent."""
    warnings = [text for text in settings(proof={"gate": "report"}).warnings() if "proof.gate" in text]
    assert len(warnings) == 1
    assert "proof: {gate: enforce}" in warnings[0]
    assert [text for text in settings().warnings() if "proof.gate" in text] == []


@pytest.mark.parametrize("neighbour", ["10.0.0.7", "database.internal:5432", "10.0.0.7:0"])
def test_a_neighbour_is_an_address_with_a_port(neighbour: str) -> None:
    """A name would make the claim depend on DNS."""
    with pytest.raises(ValidationError, match="is not an endpoint; write address and port"):
        ProofSettings(neighbours=(neighbour,))


def test_a_gate_cannot_be_switched_off() -> None:
    with pytest.raises(ValidationError, match="enforce"):
        ProofSettings.model_validate({"gate": "off"})
