"""Secrets that one target has and others do not."""

import json
from typing import Any

import pulumi
import pytest

from operations.secrets import generate, generate_for_machines
from stacks.load import load
from stacks.secrets import Secrets, faults_of, required_secrets, write_line
from stacks.ssh_key import public_key
from tests.unit.example import SECRETS, secrets_of
from tests.unit.recorder import record
from tests.unit.stacks.server_stack import document

KEY = generate_for_machines()["rakazo:ssh_private_key"]


def load_server(**changes: str | None) -> Secrets:
    values = {**secrets_of("server"), **changes}
    config = {"rakazo:settings": json.dumps(document())}
    config |= {f"rakazo:{key}": value for key, value in values.items() if value is not None}
    loaded: list[Secrets] = []
    record(lambda: loaded.append(load(pulumi.Config())[1]), config=config)
    return loaded[0]


def test_machines_need_a_token_and_may_have_a_key() -> None:
    assert load_server().cluster_token is not None
    assert load_server().ssh_private_key is not None
    assert load_server(ssh_private_key=None).ssh_private_key is None  # the agent's


def test_a_missing_token_is_told_with_the_command_that_makes_it() -> None:
    """B122: it is kept outside of the cluster, for the day on which the cluster is made anew."""
    with pytest.raises(pulumi.RunError, match="rakazo:cluster_token is missing; write: openssl rand -hex 32"):
        load_server(cluster_token=None)


def test_a_cluster_that_exists_has_neither() -> None:
    assert set(required_secrets("existing")) == set(SECRETS)


@pytest.mark.parametrize("value", ["x" * 64, "0" * 64, "5" * 63, ""])
def test_a_token_that_can_be_guessed_is_refused(value: str) -> None:
    (fault,) = faults_of({**SECRETS, "cluster_token": value})
    assert fault.startswith("rakazo:cluster_token is not 64 lower-case hexadecimal digits of random data")


@pytest.mark.parametrize("value", ["ssh-ed25519 AAAA", "/root/.ssh/id_ed25519", "", KEY[:-40], "x" + KEY])
def test_what_is_no_private_key_is_refused_without_being_shown(value: str) -> None:
    (fault,) = faults_of({**SECRETS, "ssh_private_key": value})
    assert fault == f"rakazo:ssh_private_key is not an SSH private key in PEM form; {write_line('ssh_private_key')}"


def test_generated_ones_are_accepted() -> None:
    made: dict[str, Any] = {**generate(), **generate_for_machines()}
    assert faults_of({key.removeprefix("rakazo:"): value for key, value in made.items()}) == []


def test_the_public_half_is_known_from_the_private_one() -> None:
    assert public_key(KEY).startswith("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5")


def test_a_key_that_nobody_can_open_is_refused_without_being_shown() -> None:
    with pytest.raises(ValueError, match="is encrypted or no OpenSSH private key") as refusal:
        public_key("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n")
    assert "AAAA" not in str(refusal.value)


@pytest.mark.parametrize("value", ["dop_v1_short", f"{'0123456789abcdef' * 4}", f"dop_v1_{'G' * 64}", ""])
def test_what_is_no_token_of_digitalocean_is_refused_without_being_shown(value: str) -> None:
    (fault,) = faults_of({"digitalocean_token": value})
    assert fault == (
        "rakazo:digitalocean_token is not dop_v1_ and 64 hexadecimal digits; "
        "write: pulumi config set --secret digitalocean_token"
    )


def test_a_token_of_digitalocean_is_accepted() -> None:
    assert faults_of({"digitalocean_token": secrets_of("digitalocean")["digitalocean_token"]}) == []
    assert set(required_secrets("digitalocean")) == {*SECRETS, "digitalocean_token"}
