"""Rakazo on a machine with Docker: which steps there are, in which order, and what each is told."""

import functools
from itertools import pairwise
from typing import Any

import pulumi
import pytest

from components.docker.machine import DockerMachine
from components.machines.file import render_removal
from components.machines.login import Login
from components.machines.remote_command import RemoteCommandArgs, run_remotely
from components.rakazo.docker_application import DockerApplication, DockerRakazo, DockerRakazoArgs
from tests.unit.example import SECRETS, secret_outputs
from tests.unit.graph import everything_before, named
from tests.unit.recorder import Recorder, Registered, Secret, record
from tests.unit.stacks.docker_stack import accepted, document

TOKEN = {"supervisor_token": "6789abcdef012345" * 4}
STEPS = ["deliver", "examine", "engine", "fence", "pull", "secrets", "project"]
LIBRARY = "/usr/local/lib/rakazo-infra"


def made(
    user: str = "root", secrets: dict[str, str] | None = None, **changes: Any
) -> tuple[Recorder, DockerApplication]:
    stack, found = accepted(document(**changes)), list[DockerApplication]()

    def program() -> None:
        login = Login(host="203.0.113.10", host_key="ssh-ed25519 AAAA", user=user)
        reached = run_remotely("reach", RemoteCommandArgs(login=login, create="true"), pulumi.ResourceOptions())
        machine = DockerMachine(name="rakazo-1", address="203.0.113.10", login=login, reached=reached, is_new=False)
        args = DockerRakazoArgs(
            stack="team", settings=stack, machine=machine, secrets=secret_outputs(**{**TOKEN, **(secrets or {})})
        )
        found.append(DockerRakazo("rakazo", args).application)

    return record(program), found[0]


@functools.cache
def plain() -> Recorder:
    return made()[0]


def step(recorder: Recorder, name: str) -> Registered:
    return named(recorder, f"rakazo-{name}")


def test_each_step_waits_for_the_one_before() -> None:
    for earlier, later in pairwise(STEPS):
        assert f"rakazo-{earlier}" in everything_before(plain(), step(plain(), later))
    assert "reach" in everything_before(plain(), step(plain(), "deliver"))


def test_the_rules_that_hold_computers_back_are_there_before_anything_runs() -> None:
    """B130."""
    assert "rakazo-fence" in everything_before(plain(), step(plain(), "project"))


def test_images_are_there_before_anything_is_changed_for_them() -> None:
    assert "rakazo-pull" in everything_before(plain(), step(plain(), "project"))


@pytest.mark.parametrize("name", STEPS[1:])
def test_a_step_is_a_script_and_a_digest_of_what_it_depends_on(name: str) -> None:
    words = step(plain(), name).inputs["create"].split()
    assert words[0] == f"{LIBRARY}/{name}"
    assert [len(word) for word in words[1:]] == ([16, 8] if name == "project" else [16])


def test_anybody_but_root_becomes_it_for_each_step() -> None:
    recorder, application = made(user="debian")
    for name in STEPS:
        assert step(recorder, name).inputs["create"].startswith("sudo -n "), name
    assert step(recorder, "deliver").inputs["delete"].startswith("sudo -n ")
    assert application.open.startswith(f"{LIBRARY}/open ")


def test_secrets_go_over_standard_input_to_the_one_step_that_writes_them() -> None:
    """Everybody on a machine sees the arguments of everybody's programs."""
    for item in plain().of_kind("Command"):
        if item.name != "rakazo-secrets":
            assert "stdin" not in item.inputs, item.name
        told = str({key: value for key, value in item.inputs.items() if key != "stdin"})
        assert [key for key, value in {**SECRETS, **TOKEN}.items() if value in told] == [], item.name
    stdin = step(plain(), "secrets").inputs["stdin"]
    assert isinstance(stdin, Secret)
    assert f"supervisor SANDBOX_SUPERVISOR_TOKEN={TOKEN['supervisor_token']}\n" in stdin.value
    assert f"kept ENCRYPTION_KEY={SECRETS['encryption_key']}\n" in stdin.value


def changed(recorder: Recorder) -> set[str]:
    """Return the steps that would run again."""
    return {
        name
        for name in STEPS
        for key in ("create", "stdin", "delete")
        if step(recorder, name).inputs.get(key) != step(plain(), name).inputs.get(key)
    }


@pytest.mark.parametrize(
    ("changes", "again"),
    [
        ({"computers__memory": "4Gi"}, {"deliver", "examine", "project"}),
        ({"application__signup_allowlist": ["@example.org"]}, {"deliver", "project"}),
        ({"images__app": f"localhost/app@sha256:{'1' * 64}"}, {"deliver", "pull", "project"}),
        ({"images__computer": f"localhost/computer@sha256:{'1' * 64}"}, {"deliver", "pull", "project"}),
        ({"target__docker__version": "29.0.1"}, {"deliver", "engine"}),
        ({"edge__web": 8080}, {"deliver"}),
    ],
)
def test_a_change_runs_the_steps_that_it_is_about(changes: dict[str, Any], again: set[str]) -> None:
    assert changed(made(**changes)[0]) == again


def test_another_secret_is_written_and_reaches_who_uses_it() -> None:
    """The mark is too short to find the secret from, and changes with it."""
    assert changed(made(secrets={"better_auth_secret": "f0e1d2c3b4a59687" * 4})[0]) == {"secrets", "project"}


def test_the_gate_is_told_of_changes_that_isolation_depends_on() -> None:
    before = made()[1].isolation
    assert made()[1].isolation == before
    assert made(application__signup_allowlist=["@example.org"])[1].isolation == before
    assert made(target__docker__version="29.0.1")[1].isolation != before
    assert made(images__app=f"localhost/app@sha256:{'1' * 64}")[1].isolation != before


def test_only_what_has_something_to_say_and_knows_no_secret_is_heard() -> None:
    heard = {name for name in STEPS if step(plain(), name).inputs["logging"] == "stderr"}
    assert heard == {"examine", "pull", "project"}


def test_a_destroy_takes_everything_off_the_machine() -> None:
    deleting = {item.name: item.inputs["delete"] for item in plain().of_kind("Command") if item.inputs.get("delete")}
    assert deleting == {"rakazo-deliver": render_removal("docker team")}


def test_the_machine_is_told_whose_it_is() -> None:
    assert "\ndocker team\n" in step(plain(), "deliver").inputs["create"]


def test_every_service_that_stays_is_told_to_the_proof() -> None:
    services = {service.name: service for service in made()[1].services}
    assert set(services) == {"postgres", "supervisor", "api", "worker", "web"}
    assert "SANDBOX_SUPERVISOR_TOKEN" in services["api"].holds
    assert "SANDBOX_SUPERVISOR_TOKEN" in services["web"].forbidden
    assert "ENCRYPTION_KEY" in services["supervisor"].forbidden
