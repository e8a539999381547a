"""What every committed stack file is looked at through; a module with fewer of them names its own `stack`."""

import pytest

from stacks.settings import StackSettings
from tests.program.stack_files import STACK_NAMES, deployed, settings_of
from tests.unit.recorder import Recorder


@pytest.fixture(params=STACK_NAMES)
def stack(request: pytest.FixtureRequest) -> str:
    """The name of a stack file."""
    return str(request.param)


@pytest.fixture
def recorded(stack: str) -> Recorder:
    """What it deploys."""
    return deployed(stack)


@pytest.fixture
def settings(stack: str) -> StackSettings:
    """Its settings."""
    return settings_of(stack)
