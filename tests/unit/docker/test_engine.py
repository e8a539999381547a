"""The step that has Docker on the machine: ours, of the pinned release, or theirs, untouched."""

import json
import tomllib

import pytest

from tests.unit.docker.conftest import DOCKER, IPTABLES, PROGRAMS, Bench, archive

HOME = "/usr/local/lib/rakazo-docker"
UNIT = "/etc/systemd/system/docker.service"
CONTAINERD = "/etc/systemd/system/rakazo-containerd.service"


def test_docker_is_installed_with_its_units_and_its_configuration(bench: Bench) -> None:
    assert bench.step("engine") == "Docker 28.5.2 and Compose 5.5.1 run on rakazo-1\n"
    current = bench.machine.path(f"{HOME}/current")
    assert {path.name for path in current.iterdir()} == set(PROGRAMS)
    assert json.loads(bench.machine.text("/etc/docker/daemon.json")) == {
        "live-restore": True,
        "log-driver": "local",
        "log-opts": {"max-size": "10m", "max-file": "3"},
        "default-address-pools": [{"base": "10.189.0.0/16", "size": 24}],
    }
    assert f"ExecStart={HOME}/current/dockerd --host=fd:// --containerd=" in bench.machine.text(UNIT)
    assert f"ExecStart={HOME}/current/containerd" in bench.machine.text(CONTAINERD)
    told = tomllib.loads(bench.machine.text("/etc/docker/rakazo-containerd.toml"))
    assert f"--containerd={told['grpc']['address']}\n" in bench.machine.text(UNIT)
    assert "systemctl --quiet enable docker.socket docker.service" in bench.machine.calls("systemctl")
    assert bench.machine.text("/var/lib/rakazo-infra/docker") == "ours\n"


def test_a_second_time_restarts_nothing_and_downloads_nothing(bench: Bench) -> None:
    bench.step("engine")
    bench.machine.forget_calls()
    bench.mirror.requests.clear()
    bench.step("engine")
    assert [call for call in bench.machine.calls("systemctl") if "stop" in call] == []
    assert [call for call in bench.machine.calls("systemctl") if "restart" in call] == []
    assert bench.mirror.requests == []


def test_another_release_takes_the_place_of_the_one_before(bench: Bench) -> None:
    """Containers go on: only Docker itself is restarted, and keeps them by live-restore."""
    bench.step("engine")
    bench.machine.forget_calls()
    bench.deliver(docker=bench.docker("29.0.1"))
    assert bench.step("engine").startswith("Docker 29.0.1")
    calls = bench.machine.calls("systemctl")
    assert calls.index("systemctl stop docker.service") + 1 == calls.index(
        "systemctl restart rakazo-containerd.service"
    )
    assert [path.name[:6] for path in bench.machine.path(HOME).glob("[0-9]*")] == ["29.0.1"]


def test_a_step_back_is_refused(bench: Bench) -> None:
    bench.step("engine")
    bench.deliver(docker=bench.docker("27.5.1"))
    said = bench.step("engine", fails=True)
    assert (
        'it runs Docker 28.5.2, and 27.5.1 is older: what the newer one stored it may not read. Write version: "28.5.2"'
        in said
    )


@pytest.mark.parametrize("lost", ["dockerd", "containerd-shim-runc-v2", "runc", "docker-proxy"])
def test_an_archive_without_a_program_is_told_and_not_used(bench: Bench, lost: str) -> None:
    content = archive(tuple(program for program in PROGRAMS if program != lost))
    bench.deliver(docker=bench.docker(content=content))
    assert f"holds no program docker/{lost}" in bench.step("engine", fails=True)
    assert not bench.machine.path(f"{HOME}/current").exists()


def test_another_file_than_the_pinned_one_is_refused(bench: Bench) -> None:
    bench.deliver(docker=bench.docker(sha256="0" * 64))
    assert "sha256 sum is" in bench.step("engine", fails=True)
    assert not bench.machine.path(f"{HOME}/current").exists()


def test_a_compose_that_is_not_the_pinned_one_is_refused(bench: Bench) -> None:
    bench.deliver(docker=bench.docker(compose_sha256="0" * 64))
    assert "docker-compose-linux-x86_64 cannot be had" in bench.step("engine", fails=True)
    assert not bench.machine.path(f"{HOME}/compose").exists()


def test_a_docker_that_was_there_gets_compose_beside_it_and_nothing_else(bench: Bench) -> None:
    bench.adopt()
    bench.machine.write("/etc/docker/daemon.json", '{"bip": "172.20.0.1/16"}\n')
    bench.machine.forget_calls()
    assert "stays as it is; Compose 5.5.1" in bench.step("engine")
    assert bench.machine.text("/etc/docker/daemon.json") == '{"bip": "172.20.0.1/16"}\n'
    assert not bench.machine.path(UNIT).exists()
    assert not bench.machine.path("/usr/local/lib/docker").exists(), "a plugin of theirs would be hidden by ours"
    assert bench.machine.calls("systemctl") == ["systemctl cat docker.service"]
    assert bench.machine.path(f"{HOME}/compose").exists()
    assert bench.machine.text("/var/lib/rakazo-infra/docker") == "theirs\n"
    assert [path for path in bench.mirror.requests if "docker-28" in path] == []


def test_a_docker_that_does_not_start_is_told_with_its_log(bench: Bench) -> None:
    bench.machine.patience = 0
    bench.machine.program("systemctl", 'case "$*" in *is-active* | cat*) exit 3 ;; esac')
    bench.machine.program("journalctl", "echo failed to start daemon: no iptables")
    said = bench.step("engine", fails=True)
    assert "no iptables" in said
    assert "Docker did not start; its last words are above" in said


def test_a_docker_that_writes_no_rules_is_refused(bench: Bench) -> None:
    bench.machine.program("iptables", 'case "$*" in *FORWARD*) echo "-P FORWARD ACCEPT" ;; esac')
    assert "Docker runs and wrote no iptables rules" in bench.step("engine", fails=True)


def test_what_was_forwarded_before_is_remembered_for_a_destroy(bench: Bench) -> None:
    key = bench.machine.write("/proc/sys/net/ipv4/ip_forward", "0\n")
    bench.machine.program("iptables", IPTABLES.replace("DROP", "ACCEPT"))
    bench.step("engine")
    key.write_text("1\n", encoding="utf-8")
    bench.machine.program("iptables", IPTABLES)
    bench.step("engine")
    assert bench.machine.text("/var/lib/rakazo-infra/forward-iptables") == "ACCEPT\n"
    assert bench.machine.text("/var/lib/rakazo-infra/forwarding") == "ipv4/ip_forward 0\n"


def test_an_engine_that_failed_late_is_no_obstacle_to_the_next_look(bench: Bench) -> None:
    """Its own docker0 has an address of the pool by then."""
    bench.machine.patience = 0
    bench.step("examine")
    running = bench.machine.path("/").parent / "running"
    bench.machine.program("docker", "exit 1")
    bench.step("engine", fails=True)
    assert running.exists()
    bench.machine.program("docker", DOCKER)
    bench.machine.program("ip", 'case "$*" in *route*) echo "10.189.0.0/24 dev docker0 proto kernel" ;; esac')
    bench.deliver(docker=bench.docker(address_pool="10.188.0.0/15"))
    bench.step("examine")


def test_no_command_goes_where_root_has_pointed_its_docker(bench: Bench) -> None:
    """`docker context use` of another machine would have the steps, and the destroy, work on that one."""
    bench.machine.program("docker", f'echo "asked $DOCKER_HOST" >>"$CALLS"\n{DOCKER}')
    bench.adopt()
    for name in ("examine", "engine", "pull"):
        bench.step(name)
    bench.step("remove", "")
    assert set(bench.machine.calls("asked")) == {f"asked unix://{bench.machine.root}/run/docker.sock"}
