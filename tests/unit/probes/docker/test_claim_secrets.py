"""How files of the machine are read in which secrets are looked for, or which hold them."""

from collections.abc import Sequence

import pytest

from probes.docker.claims.secrets import kept, public
from probes.docker.containers import Containers
from probes.docker.runner import Did, MachineError
from probes.docker.scene import DockerScene
from probes.prober import ProbeError
from tests.unit.probes.docker.example import around, facts

VALUE = "a-value-of-a-secret"


class Machine:
    """A machine that says one thing."""

    def __init__(self, output: str, exit_code: int = 0) -> None:
        self._did = Did(exit_code=exit_code, output=output, errors="")

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        return self._did


class Slow:
    """A machine that has said something when its time is up."""

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        raise MachineError(f"bash did not end within 60 s: {VALUE}")


def test_files_of_the_machine_were_read_when_the_projects_own_words_are_among_them() -> None:
    text = "# Written by rakazo-infra.\n[Unit]\n"
    assert public(Containers(Machine(text))) == text


@pytest.mark.parametrize("machine", [Machine(""), Machine("[Unit]\n"), Machine("# Written by rakazo-infra.", 126)])
def test_what_was_not_read_is_an_error_and_not_clean(machine: Machine) -> None:
    with pytest.raises(ProbeError, match="were not read"):
        public(Containers(machine))


def test_what_was_said_of_secrets_before_the_time_was_up_is_shown_to_nobody() -> None:
    with pytest.raises(ProbeError, match="were not read in time") as raised:
        kept(DockerScene(Containers(Slow()), facts(), around(), "0badc0de"))
    assert VALUE not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__
