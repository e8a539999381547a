"""When a cloud may touch a cluster by itself."""

from typing import Annotated, Literal

from pydantic import Field

from stacks.base import Model


class MaintenanceWindow(Model):
    """Four hours of each week, in UTC."""

    day: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] = "sunday"
    """The day."""
    start_time: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] = "04:00"
    """When it begins, in quotes: YAML reads 04:00 as a number of minutes."""
