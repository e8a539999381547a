"""What a new server is told at its first start. That cloud-init takes it is the machines' tier's."""

import dataclasses
from pathlib import Path

import pytest
import yaml

from components.machines.preparation import SCRIPTS
from components.targets.hetzner.user_data import LIMIT, UserDataArgs, render_user_data
from tests.unit import golden
from tests.unit.outputs import HOST_PRIVATE_KEY, HOST_PUBLIC_KEY

ARGS = UserDataArgs(
    name="rakazo-team-server-1",
    private_address="10.0.1.11",
    host_private_key=HOST_PRIVATE_KEY,
    host_public_key=f"{HOST_PUBLIC_KEY}\n",
    administrator="ssh-ed25519 AAAAadministrator\n",
)


def test_it_is_the_reviewed_text() -> None:
    golden.check(Path(__file__).with_name("golden") / "user-data.yaml", render_user_data(ARGS))


def test_the_machine_shows_the_key_that_is_waited_for_and_no_other() -> None:
    """So that the first connection is checked already."""
    told = yaml.safe_load(render_user_data(ARGS))
    assert told["ssh_deletekeys"] is True
    assert told["ssh_keys"] == {"ed25519_private": HOST_PRIVATE_KEY, "ed25519_public": HOST_PUBLIC_KEY}


def test_nobody_logs_in_with_a_password() -> None:
    told = yaml.safe_load(render_user_data(ARGS))
    assert told["ssh_pwauth"] is False
    assert told["ssh_authorized_keys"] == ["ssh-ed25519 AAAAadministrator"]


def test_it_is_called_as_its_node_is() -> None:
    """B034."""
    assert yaml.safe_load(render_user_data(ARGS))["hostname"] == "rakazo-team-server-1"


def test_it_waits_for_its_private_interface_by_address() -> None:
    """B028."""
    told = yaml.safe_load(render_user_data(ARGS))
    assert told["runcmd"] == [["/usr/local/sbin/rakazo-interface", "10.0.1.11", "300"]]
    (script,) = told["write_files"]
    assert script["content"] == (SCRIPTS / "interface").read_text()


def test_it_is_far_below_hetzners_limit() -> None:
    """B026."""
    assert len(render_user_data(ARGS)) < LIMIT // 4


def test_what_is_longer_is_refused_with_its_size() -> None:
    """B026: Hetzner's own answer comes when half of the stack is there."""
    told = r"the user data of rakazo-team-server-1 has 39\d{3} bytes, and Hetzner takes 32768"
    with pytest.raises(ValueError, match=told):
        render_user_data(dataclasses.replace(ARGS, administrator="ssh-rsa " + "A" * 38_000))


def test_a_printed_error_shows_no_key() -> None:
    assert "invented-host-key" not in repr(ARGS)
