"""What holds for every committed stack file whose computers Docker runs. Limits: no machine has seen any of it."""

import importlib
import inspect
import pkgutil
import shlex
from typing import Any

import pulumi
import pytest
import yaml

import components
from stacks.docker_stack import DockerStackSettings
from tests.program.commands import connection, spelled
from tests.program.stack_files import DOCKER_NAMES, docker_settings_of, exported, stack_file
from tests.unit.example import SECRETS, secrets_of
from tests.unit.graph import everything_before, named
from tests.unit.recorder import Recorder, Secret, leaves

assert DOCKER_NAMES, "no stack has Docker computers, so nothing would be tested"
END = "END_OF_FILE_OF_RAKAZO_INFRA"


@pytest.fixture(params=DOCKER_NAMES)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def docker(stack: str) -> DockerStackSettings:
    return docker_settings_of(stack)


def delivered(recorded: Recorder) -> dict[str, str]:
    """Return the files that the machine is given, by their paths below the library."""
    script = shlex.split(named(recorded, "rakazo-deliver").inputs["create"])[-1]
    files: dict[str, str] = {}
    for part in script.split("cat >")[1:]:
        head, _, rest = part.partition("\n")
        path = head.split("'")[1].partition("/rakazo-infra.new/")[2]
        files[path] = rest.partition(f"{END}\n")[0]
    assert len(files) > 10
    return files


def project(recorded: Recorder) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(delivered(recorded)["staged/project/etc/rakazo-infra/compose.yaml"])
    return loaded


def test_no_cluster_is_made_or_touched(recorded: Recorder, stack: str) -> None:
    """B004."""
    assert [item.typ for item in recorded.seen if item.typ.startswith(("kubernetes:", "pulumi:providers:kub"))] == []
    assert "kubernetes" in stack_file(stack)["pulumi:disable-default-providers"]


def test_every_command_looks_at_the_machines_host_key(recorded: Recorder) -> None:
    for command in recorded.of_kind("Command"):
        assert str(connection(command)["hostKey"]).startswith(("ssh-ed25519 ", "ecdsa-", "ssh-rsa ")), command.name


def test_no_secret_is_in_a_command_only_in_standard_input(recorded: Recorder, docker: DockerStackSettings) -> None:
    """Everybody on a machine sees the arguments of everybody's programs."""
    forms = spelled(docker.target.secrets_of)
    for command in recorded.of_kind("Command"):
        shown = str({key: value for key, value in command.inputs.items() if key not in ("stdin", "connection")})
        assert [form for form in forms if form in shown] == [], command.name
        assert isinstance(command.inputs.get("stdin", Secret("")), Secret), command.name


def test_no_secret_is_plain_text_in_any_input(recorded: Recorder, docker: DockerStackSettings) -> None:
    """B009: a value that the engine was not told to encrypt is readable in the state."""
    secrets = secrets_of(docker.target.secrets_of).values()
    leaks = [
        f"{item.urn} {path}"
        for item in recorded.seen
        for path, value in leaves(item.inputs)
        if not isinstance(value, Secret) and any(secret in str(value) for secret in secrets)
    ]
    assert leaks == []


@pytest.mark.parametrize("name", [*SECRETS, "supervisor_token"])
def test_secrets_do_reach_the_machine_encrypted_on_the_way(
    recorded: Recorder, docker: DockerStackSettings, name: str
) -> None:
    """B009: the tests above would also pass if nothing carried a secret at all."""
    stdin = named(recorded, "rakazo-secrets").inputs["stdin"]
    assert isinstance(stdin, Secret)
    assert secrets_of(docker.target.secrets_of)[name] in stdin.value


def test_what_commands_say_is_neither_logged_nor_stored_in_plain_text(recorded: Recorder) -> None:
    """B009. Those that are heard know no secret."""
    for command in recorded.of_kind("Command"):
        heard = "stderr" if command.name.endswith(("-examine", "-pull", "-project")) else "none"
        assert command.inputs["logging"] == heard, command.name
        assert {"stdout", "stderr"} <= command.secret_outputs, command.name


def test_the_way_in_opens_after_the_proof_and_is_closed_before_the_next(recorded: Recorder) -> None:
    """The engine deletes what depends on a proof that is replaced before it proves anew."""
    entry = named(recorded, "entry-web")
    assert "proof" in everything_before(recorded, entry)
    assert entry.delete_before_replace
    assert entry.inputs["triggers"], "the proof is no part of it"
    assert "/close" in entry.inputs["delete"]
    proof = named(recorded, "proof")
    assert proof.hooks == ("before_create:proof-prove", "before_update:proof-prove")
    assert "rakazo-project" in everything_before(recorded, proof)


def test_no_service_waits_for_no_rule(recorded: Recorder) -> None:
    """B130: what holds computers back is in force before anything could make one."""
    assert "rakazo-fence" in everything_before(recorded, named(recorded, "rakazo-project"))


def test_the_rules_deny_what_the_policies_of_a_cluster_deny(recorded: Recorder) -> None:
    """B076: in both families."""
    denied = delivered(recorded)["staged/fence/etc/rakazo-infra/egress.ranges"]
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fd00::/8"):
        assert f"rakazo-c+ {text}\n" in denied, text


def test_only_the_supervisor_has_dockers_socket_and_nobody_a_port(recorded: Recorder) -> None:
    services = project(recorded)["services"]
    assert {name for name, service in services.items() if "docker.sock" in str(service)} == {"supervisor"}
    assert {name for name, service in services.items() if "ports" in service} == set()


def test_every_image_is_pulled_before_the_project_changes(recorded: Recorder, docker: DockerStackSettings) -> None:
    images = {service["image"] for service in project(recorded)["services"].values()} | {docker.images.computer}
    (line,) = [line for line in delivered(recorded)["machine.env"].splitlines() if line.startswith("IMAGES=")]
    assert set(shlex.split(line.removeprefix("IMAGES="))[0].split()) == images
    assert "rakazo-pull" in everything_before(recorded, named(recorded, "rakazo-project"))


def test_no_file_of_the_machine_holds_a_secret(recorded: Recorder, docker: DockerStackSettings) -> None:
    """Not the project either, nor a unit."""
    secrets = secrets_of(docker.target.secrets_of).values()
    for path, text in delivered(recorded).items():
        assert [secret for secret in secrets if secret in text] == [], path


def test_only_components_hang_off_the_stack(recorded: Recorder) -> None:
    stray = [item.urn for item in recorded.seen if "pulumi:pulumi:Stack::" in item.parent and ":" in item.typ]
    assert [urn for urn in stray if "::rakazo:" not in urn] == []


def test_every_type_token_names_its_package_and_class(recorded: Recorder) -> None:
    """The token is part of every URN: it can never change after the first release."""
    classes = {
        f"rakazo:{module.name.split('.')[1]}:{name}"
        for module in pkgutil.walk_packages(components.__path__, "components.")
        for name, member in inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
        if issubclass(member, pulumi.ComponentResource) and member.__module__ == module.name
    }
    tokens = {item.typ for item in recorded.seen if item.typ.startswith("rakazo:")}
    assert tokens - classes == set()
    assert len(tokens) >= 4


def test_it_tells_where_it_answers_and_what_it_is(stack: str) -> None:
    assert exported(stack) == {"url", "entry", "facts", "isolation"}
