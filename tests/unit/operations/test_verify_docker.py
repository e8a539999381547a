"""`rakazo-infra verify` of a stack with Docker computers, before it reaches the machine."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from operations.command_line import app
from operations.stack_facts import facts_of, private_key_of
from probes.docker.facts import DockerFacts
from tests.unit.probes.docker.example import facts

RUNNER = CliRunner()
HOST_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGW9vD8okZggNaKtJt+fILyhz6DKU8T9haeEEQC7yNb4"


@pytest.fixture
def pulumi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in of the Pulumi CLI that answers each of its commands with a file of that name."""
    program = tmp_path / "pulumi"
    program.write_text(f'#!/bin/sh\nexec /bin/cat "{tmp_path}/$1-$2"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    answer(tmp_path, "stack-output", json.dumps({"facts": facts(host_key=HOST_KEY, address="127.0.0.1").pack()}))
    answer(tmp_path, "config---json", "{}")
    return tmp_path


def answer(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_the_facts_come_back_as_the_gate_knew_them(pulumi: Path) -> None:
    assert facts_of(None) == facts(host_key=HOST_KEY, address="127.0.0.1")


def test_the_facts_of_another_release_are_refused_by_their_keys(pulumi: Path) -> None:
    older = {key: getattr(facts(), key) for key in DockerFacts.model_fields if key != "pids"}
    answer(pulumi, "stack-output", json.dumps({"facts": DockerFacts.model_construct(**older).pack()}))
    done = RUNNER.invoke(app, ["verify"])
    assert done.exit_code == 2
    assert "another release's (pids)" in done.output


def test_every_claim_is_listed_without_a_machine(pulumi: Path) -> None:
    done = RUNNER.invoke(app, ["verify", "--list"])
    assert done.exit_code == 0, done.output
    for key in ("kernel-shared", "out-rules", "out-range-10.0.0.0/8", "identity-socket", "in-published"):
        assert key in done.output


def test_the_key_is_the_stacks_own_or_the_agents(pulumi: Path) -> None:
    assert private_key_of(None) is None
    answer(pulumi, "config---json", json.dumps({"rakazo:ssh_private_key": {"secret": True}}))
    answer(pulumi, "config-get", "the key\n")
    assert private_key_of(None) == "the key\n"


def test_a_machine_that_is_not_reached_could_not_be_checked(pulumi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens on port 1 of loopback."""
    nobody = facts(host_key=HOST_KEY, address="127.0.0.1", ssh_port=1)
    answer(pulumi, "stack-output", json.dumps({"facts": nobody.pack()}))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    done = RUNNER.invoke(app, ["verify"])
    assert done.exit_code == 2
    assert "root@127.0.0.1:1 is not reached over SSH" in done.output.replace("\n", " ")
