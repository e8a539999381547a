"""The base of every settings model."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Unknown keys are errors, values never change, and an error never quotes the value it rejects."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )
