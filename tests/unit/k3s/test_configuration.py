"""How the stand-in for k3s reads a node's configuration, and what it refuses in it."""

from pathlib import Path
from typing import Any

import pytest

from tests.k3s.program import flags
from tests.k3s.program.configuration import load, read
from tests.k3s.program.flags import AGENT, FLAGS, IDENTICAL, SERVER
from tests.k3s.program.refusal import Refusal


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "config.yaml.d").mkdir()
    return tmp_path / "config.yaml"


def test_the_later_file_wins_and_a_plus_appends(file: Path) -> None:
    file.write_text("token: boop\nnode-label: [foo=bar, bar=baz]\n")
    (file.parent / "config.yaml.d/1.yaml").write_text("write-kubeconfig-mode: 600\nnode-taint: ['a=b:NoExecute']\n")
    (file.parent / "config.yaml.d/2.yaml").write_text(
        "write-kubeconfig-mode: 777\nnode-label: [other=what]\nnode-taint+: ['c=d:NoSchedule']\n"
    )
    (file.parent / "config.yaml.d/3.txt").write_text("token: not read\n")
    assert read(SERVER, file) == {
        "token": "boop",
        "node-label": ["other=what"],
        "node-taint": ["a=b:NoExecute", "c=d:NoSchedule"],
        "write-kubeconfig-mode": "777",
    }


def test_drop_ins_are_read_in_the_order_of_their_names_and_without_the_file_too(file: Path) -> None:
    (file.parent / "config.yaml.d/20-b.yaml").write_text("node-ip: 10.0.0.2\n")
    (file.parent / "config.yaml.d/10-a.yaml").write_text("node-ip: 10.0.0.1\n")
    assert read(AGENT, file) == {"node-ip": ["10.0.0.2"]}


def test_the_command_line_wins_over_files_and_files_over_the_environment(file: Path) -> None:
    file.write_text("token: of the file\nnode-label: [a=b]\n")
    arguments = ["--config", str(file), "--node-label=c=d", "--node-label", "e=f", "--debug"]
    found = load(AGENT, arguments, {"K3S_TOKEN": "of the environment", "K3S_URL": "https://10.0.0.1:6443"})
    assert found["token"] == "of the file"
    assert found["server"] == "https://10.0.0.1:6443"
    assert found["node-label"] == ["c=d", "e=f"]
    assert found["debug"] is True


def test_a_short_flag_is_its_long_one(file: Path) -> None:
    assert load(AGENT, ["-c", str(file), "-s", "https://a:6443", "-t", "x"], {})["server"] == "https://a:6443"


@pytest.mark.parametrize(
    ("command", "text", "complaint"),
    [
        (SERVER, "flanel-iface: eth0", "flag provided but not defined: flanel-iface; did you mean flannel-iface?"),
        (SERVER, "no-deploy: traefik", "flag provided but not defined: no-deploy"),
        (AGENT, "cluster-cidr: 10.42.0.0/16", "cluster-cidr is a flag of `k3s server`, an agent does not know it"),
        (SERVER, "cluster-init: maybe", "cluster-init takes true or false, not 'maybe'"),
        (SERVER, "node-name: [a, b]", "node-name takes one value, not ['a', 'b']"),
        (SERVER, "etcd-snapshot-retention: five", "etcd-snapshot-retention takes one whole number, not 'five'"),
        (SERVER, "tls-san: [{a: b}]", "tls-san takes a list of values"),
        (SERVER, "token:", "token takes one value, not None"),
        (SERVER, "node-name+: x", "node-name+: only a list can be appended to"),
        (SERVER, "- token", "must be a mapping"),
        (SERVER, "a: b: c", "cannot be read"),
    ],
)
def test_a_key_or_value_that_k3s_does_not_know_is_refused_by_name(
    file: Path, command: str, text: str, complaint: str
) -> None:
    file.write_text(text)
    with pytest.raises(Refusal) as refused:
        read(command, file)
    assert complaint in str(refused.value)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--no-such-flag"], "k3s server: flag provided but not defined: no-such-flag"),
        (["--token"], "flag needs an argument: --token"),
        (["start"], "takes flags only, not 'start'"),
        (["--datastore-endpoint=x"], "datastore-endpoint: k3s knows it, but the stand-in"),
    ],
)
def test_a_wrong_command_line_is_refused(file: Path, arguments: list[str], complaint: str) -> None:
    with pytest.raises(Refusal, match=complaint):
        load(SERVER, ["--config", str(file), *arguments], {})


@pytest.mark.parametrize(("written", "read_as"), [("true", True), ("false", False), ("'true'", True)])
def test_a_switch_is_a_truth_of_yaml_or_its_text(file: Path, written: str, read_as: Any) -> None:
    file.write_text(f"cluster-init: {written}\n")
    assert read(SERVER, file) == {"cluster-init": read_as}


def test_every_flag_of_an_agent_is_one_of_a_server_and_what_must_be_identical_exists() -> None:
    assert FLAGS[AGENT].keys() < FLAGS[SERVER].keys()
    assert set(IDENTICAL) <= FLAGS[SERVER].keys()
    assert set(flags.SHORT.values()) <= FLAGS[SERVER].keys()
    assert {"no-deploy", "no-flannel", "cluster-secret"}.isdisjoint(FLAGS[SERVER])
