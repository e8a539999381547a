"""What holds for every machine of every committed stack file: whom Pulumi logs in to, and what it says there."""

import pytest

from stacks.secrets import TAKEN_BY
from stacks.settings import StackSettings
from tests.program.commands import connection, spelled
from tests.program.stack_files import STACK_FILES, STACK_NAMES, settings_of
from tests.unit.recorder import Recorder, Registered, Secret

assert STACK_FILES, "no stack file was found, so nothing would be tested"
MACHINES = [name for name in STACK_NAMES if "ssh_private_key" in TAKEN_BY[settings_of(name).target.kind]]
assert MACHINES, "no stack has machines, so nothing would be tested"


@pytest.fixture(params=MACHINES)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def commands(recorded: Recorder) -> list[Registered]:
    found = recorded.of_kind("Command")
    assert len(found) > 5
    return found


def test_every_command_looks_at_the_machines_host_key(recorded: Recorder) -> None:
    """Without one the provider takes whoever answers for the machine."""
    for command in commands(recorded):
        assert str(connection(command)["hostKey"]).startswith(("ssh-ed25519 ", "ecdsa-", "ssh-rsa ")), command.name


def test_no_secret_is_in_a_command_only_in_standard_input(recorded: Recorder, settings: StackSettings) -> None:
    """Everybody on a machine sees the arguments of everybody's programs."""
    forms = spelled(settings.target.kind)
    for command in commands(recorded):
        shown = str({key: value for key, value in command.inputs.items() if key not in ("stdin", "connection")})
        assert [form for form in forms if form in shown] == [], command.name
        assert isinstance(command.inputs.get("stdin", Secret("")), Secret), command.name


def test_what_commands_say_is_neither_logged_nor_stored_in_plain_text(recorded: Recorder) -> None:
    """B009: one of them says the administrator's kubeconfig. The two that are heard say which pods they end."""
    for command in commands(recorded):
        heard = "stderr" if command.name.endswith(("-vacate", "-dismiss")) else "none"
        assert command.inputs["logging"] == heard, command.name
        assert {"stdout", "stderr"} <= command.secret_outputs, command.name
        assert command.inputs["addPreviousOutputInEnv"] is False, command.name


def test_the_kubeconfig_is_no_input_but_the_providers_own(recorded: Recorder) -> None:
    """B009: the gate reads it while it proves, and nothing of it is left in the gate."""
    holders = [item.typ for item in recorded.seen if "client-key-data" in str(item.inputs)]
    assert holders == ["pulumi:providers:kubernetes"]
    (provider,) = [item for item in recorded.seen if item.typ == "pulumi:providers:kubernetes"]
    assert isinstance(provider.inputs["kubeconfig"], Secret)


def test_only_components_hang_off_components_with_a_name_of_the_stack(recorded: Recorder) -> None:
    """B021: names of commands hold what the settings call a machine, and nothing that moves when the list does."""
    for command in commands(recorded):
        assert "cluster-" in command.name
        assert not command.name.rpartition("-")[2].isdigit(), command.name
