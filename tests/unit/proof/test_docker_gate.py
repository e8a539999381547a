"""Where the gate of a machine with Docker stands in the graph. That its hook holds is the engine tier's."""

import asyncio
import json
from typing import Any

import pulumi
import pytest

from components.deployment import deploy
from components.machines.login import Login
from components.proof import docker_gate as gates
from components.proof.docker_gate import DockerGateArgs
from components.proof.gate import ClosedError, Mode
from components.proof.verdict import Verdict, unchecked
from probes.docker.facts import DockerFacts
from probes.docker.machine import Way
from tests.unit.example import MACHINE_SECRETS, secret_outputs
from tests.unit.probes.docker.example import facts
from tests.unit.recorder import Recorder, Registered, record
from tests.unit.stacks.docker_stack import accepted, document

KEYS = {key: MACHINE_SECRETS[key] for key in ("supervisor_token", "ssh_private_key")}


def deployed(**changes: Any) -> Recorder:
    settings = accepted(document(**changes))
    return record(lambda: deploy(settings, secret_outputs(**KEYS)))


def gate(recorder: Recorder) -> Registered:
    (found,) = [each for each in recorder.seen if each.name == "proof" and each.kind == "Command"]
    return found


def test_it_proves_before_it_exists_and_is_replaced_as_a_whole() -> None:
    """An update in place would leave the way in open while the new state is unproven."""
    found = gate(deployed())
    assert "before_create:proof-prove" in found.hooks
    assert found.delete_before_replace
    assert len(found.inputs["triggers"]) == 1


def test_the_way_in_hangs_on_it_and_it_on_the_application() -> None:
    recorder = deployed()
    found = gate(recorder)
    (entry,) = [each for each in recorder.seen if each.name == "entry-web"]
    (project,) = [each for each in recorder.seen if each.name == "rakazo-project"]
    assert found.urn in entry.dependencies
    assert entry.delete_before_replace
    assert project.urn in found.dependencies


def test_whatever_isolation_depends_on_makes_it_prove_again() -> None:
    before = gate(deployed()).inputs["triggers"]
    digest = f"@sha256:{'1' * 64}"
    changes: dict[str, dict[str, Any]] = {
        "the computers' release": {"images__computer": f"localhost/rakazo-stand-in/computer{digest}"},
        "the app's release": {"images__app": f"localhost/rakazo-stand-in/app{digest}"},
        "a limit": {"computers__memory": "3Gi"},
        "the number": {"computers__maximum": 3},
        "processes": {"computers__pids": 1024},
        "a folder": {"computers__mounts": [{"source": "/srv/a", "target": "/mnt/a"}]},
        "the engine": {"target__docker__version": "28.5.3"},
        "the pool": {"target__docker__address_pool": "10.190.0.0/16"},
        "the way in": {"edge__web": 5174},
        "the gate itself": {"proof": {"gate": "report"}},
    }
    same = [what for what, change in changes.items() if gate(deployed(**change)).inputs["triggers"] == before]
    assert same == []


def test_what_opens_and_closes_nothing_does_not() -> None:
    before = gate(deployed()).inputs["triggers"]
    assert gate(deployed(application__signup_allowlist=["@example.org"])).inputs["triggers"] == before


def test_no_secret_is_in_what_it_runs() -> None:
    found = gate(deployed())
    told = json.dumps({key: value for key, value in found.inputs.items() if key != "connection"})
    assert [key for key, value in KEYS.items() if value in told] == []


async def prove(key: str | None, mode: Mode = "enforce") -> str:
    """Run the hook, and return why it refuses."""
    args = DockerGateArgs(
        login=Login(
            host="203.0.113.9",
            host_key="ssh-ed25519 AAAA",
            private_key=None if key is None else pulumi.Output.secret(key),
        ),
        facts=pulumi.Output.from_input(facts()),
        isolation="1",
        after=[],
        mode=mode,
    )
    try:
        await gates._prover(args)(pulumi.ResourceHookArgs("urn", "id", "proof", "type"))
    except ClosedError as error:
        return str(error)
    return ""


def test_it_looks_with_the_key_as_it_is_then(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Way, DockerFacts]] = []

    def look(route: Way, known: DockerFacts, _: object) -> Verdict:
        seen.append((route, known))
        return unchecked("nobody is there")

    monkeypatch.setattr(gates, "look", look)
    assert "nobody is there" in asyncio.run(prove("the key"))
    assert "nobody is there" in asyncio.run(prove(None))
    assert [route.private_key for route, _ in seen] == ["the key", None]
    assert seen[0] == (Way(host="203.0.113.9", host_key="ssh-ed25519 AAAA", private_key="the key"), facts())


def test_a_report_lets_the_way_in_open(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(gates, "look", lambda *_: unchecked("nobody is there"))
    monkeypatch.setattr(pulumi.log, "warn", told.append)
    assert asyncio.run(prove(None, "report")) == ""
    assert "nobody is there" in told[0]


def test_a_machine_that_does_not_answer_is_a_verdict_and_no_crash() -> None:
    """Port 1 of loopback: nobody listens there."""
    verdict = gates.look(Way(host="127.0.0.1", port=1, host_key=KEY), facts(), lambda _line: None)
    assert not verdict.holds
    assert "is not reached over SSH" in verdict.text


KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGW9vD8okZggNaKtJt+fILyhz6DKU8T9haeEEQC7yNb4"
