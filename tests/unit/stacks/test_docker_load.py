"""Loading a stack with Docker computers the way the program does, and the secrets that it has."""

import json
from typing import Any

import pulumi
import pytest

from operations.secrets import generate_for_docker
from stacks.docker_stack import DockerStackSettings
from stacks.load import load
from stacks.secrets import Secrets, faults_of
from stacks.ssh_key import public_key
from tests.unit.example import secrets_of
from tests.unit.recorder import record
from tests.unit.stacks.docker_stack import document, on_hetzner


def loaded(stack: dict[str, Any], holder: str, **changes: str | None) -> Secrets:
    values = {**secrets_of(holder), **changes}
    config = {"rakazo:settings": json.dumps(stack)}
    config |= {f"rakazo:{key}": value for key, value in values.items() if value is not None}
    found: list[Secrets] = []

    def program() -> None:
        settings, secrets = load(pulumi.Config())
        assert isinstance(settings, DockerStackSettings)
        found.append(secrets)

    record(program, config=config)
    return found[0]


def test_a_machine_of_ones_own_needs_a_token_and_may_have_a_key() -> None:
    assert loaded(document(), "docker").supervisor_token is not None
    assert loaded(document(), "docker", ssh_private_key=None).ssh_private_key is None  # the agent's
    assert loaded(document(), "docker").cluster_token is None


def test_a_missing_token_is_told_with_the_command_that_makes_it() -> None:
    """B122."""
    with pytest.raises(pulumi.RunError, match="rakazo:supervisor_token is missing; write: openssl rand -hex 32"):
        loaded(document(), "docker", supervisor_token=None)


@pytest.mark.parametrize("key", ["supervisor_token", "ssh_private_key", "hcloud_token"])
def test_a_rented_machine_needs_all_three(key: str) -> None:
    assert loaded(on_hetzner(), "docker-hetzner").hcloud_token is not None
    with pytest.raises(pulumi.RunError, match=f"rakazo:{key} is missing"):
        loaded(on_hetzner(), "docker-hetzner", **{key: None})


def test_a_stack_that_is_refused_says_so_before_any_secret_is_read() -> None:
    with pytest.raises(pulumi.RunError, match=r"target\.docker is missing, and computers\.kind is docker"):
        loaded(document(target__docker=None), "docker")


def test_tokens_that_are_made_here_are_taken() -> None:
    made = {key.removeprefix("rakazo:"): value for key, value in generate_for_docker().items()}
    assert set(made) == {"supervisor_token", "ssh_private_key"}
    assert faults_of(made) == []
    assert public_key(made["ssh_private_key"]).startswith("ssh-ed25519 ")


def test_a_token_that_is_no_random_data_is_refused_without_being_shown() -> None:
    (fault,) = faults_of({"supervisor_token": "change-me" * 8})
    assert "rakazo:supervisor_token is not 64 lower-case hexadecimal digits" in fault
    assert "change-me" not in fault
