"""The step that looks at the machine, with everything that it refuses; nothing is changed by it."""

import pytest

from stacks.docker_computers import DockerComputers
from tests.unit.docker.conftest import DOCKER, IPTABLES, Bench

SOCKETLESS = """case "$*" in
  *docker.socket*) exit 3 ;;
esac"""


def notes(bench: Bench) -> str:
    """Return what a preview's reader sees of the step, which does not fail."""
    done = bench.machine.step("examine", "digest")
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_a_machine_without_docker_is_fit(bench: Bench) -> None:
    assert bench.step("examine") == "rakazo-1 is fit: Docker here is none\n"
    assert bench.machine.text("/var/lib/rakazo-infra/stack") == "test\n"


def test_a_docker_that_fits_is_found_and_left_alone(bench: Bench) -> None:
    bench.adopt()
    assert "Docker here is theirs" in bench.step("examine")
    assert not bench.machine.path("/etc/docker").exists()


@pytest.mark.parametrize(
    ("program", "text", "told"),
    [
        ("uname", "echo aarch64", "it is aarch64, and the releases in the stack are for x86_64"),
        (
            "docker",
            DOCKER.replace("${DOCKER_SAYS_VERSION:-28.5.2}", "24.0.7"),
            "its Docker is 24.0.7, and 26 is the oldest",
        ),
        ("docker", DOCKER.replace("name=seccomp", "name=rootless"), "its Docker is rootless"),
        ("docker", DOCKER.replace("name=seccomp", "name=userns"), "its Docker maps users (userns-remap)"),
        ("docker", DOCKER.replace("Debian GNU/Linux 12", "Docker Desktop"), "its Docker is Docker Desktop's"),
        ("docker", "exit 1", "its Docker does not answer"),
        ("iptables", "exit 1", "its Docker writes no iptables rules"),
        ("iptables", IPTABLES.replace("FORWARD -j", "INPUT -j"), "its Docker writes no iptables rules"),
        ("systemctl", SOCKETLESS, "its Docker makes its socket by itself"),
        ("systemctl", "exit 3", "no docker.service of systemd runs it (snap, or started by hand)"),
    ],
)
def test_a_docker_that_does_not_fit_is_refused_with_the_reason(
    bench: Bench, program: str, text: str, told: str
) -> None:
    bench.adopt()
    bench.machine.program(program, text)
    said = bench.step("examine", fails=True)
    assert told in said
    assert said.startswith("error on rakazo-1: ")
    assert not bench.machine.path("/var/lib/rakazo-infra/stack").exists()


def test_a_rootless_docker_of_some_user_is_refused(bench: Bench) -> None:
    bench.machine.write("/run/user/1000/docker.sock", "")
    assert "its Docker is rootless" in bench.step("examine", fails=True)


def test_docker_desktop_is_refused(bench: Bench) -> None:
    bench.machine.path("/opt/docker-desktop").mkdir(parents=True)
    assert "it has Docker Desktop" in bench.step("examine", fails=True)


def test_a_docker_without_live_restore_is_taken_and_told(bench: Bench) -> None:
    bench.adopt()
    bench.machine.program("docker", DOCKER.replace("echo true", "echo false"))
    assert "note on rakazo-1: its Docker has no live-restore" in notes(bench)


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        ("ps*compose.project=rakazo*", "container rakazo-web-1"),
        ("ps*rakazo.managed=true*", "container rakazo-computer-of-theirs"),
        ("volume*compose.project=rakazo*", "volume rakazo_data"),
        ("*volume*ls*--format*", "volume rakazo-postgres"),
        ("network*compose.project=rakazo*", "network rakazo_default"),
        ("network*ls*--format*", "network rakazo-computer-x-1"),
    ],
)
def test_somebody_elses_rakazo_is_never_taken_over(bench: Bench, listed: str, found: str) -> None:
    """B004: a destroy would take it away with all of its data."""
    bench.adopt()
    bench.machine.program("docker", DOCKER.replace("esac", f"  {listed}) echo '{found}' ;;\nesac"))
    said = bench.step("examine", fails=True)
    assert "another Rakazo is here already, or what is left of one" in said
    assert f"a destroy of this stack would take it away: {found}. Save its data" in said
    assert not bench.machine.path("/var/lib/rakazo-infra/stack").exists()


def test_an_interface_that_the_rules_would_hold_back_is_never_taken_over(bench: Bench) -> None:
    bench.adopt()
    bench.machine.program("ip", 'case "$*" in *link*) echo "7: rakazo-app@if6: <BROADCAST,UP> mtu 1500" ;; esac')
    assert "take it away: interface rakazo-app. Save" in bench.step("examine", fails=True)


def test_volumes_and_networks_of_other_names_are_no_obstacle(bench: Bench) -> None:
    bench.adopt()
    volume = '"volume ls --format"*) echo volume rakazo-data-of-mine ;;'
    network = '"network ls --format"*) echo network rakazo-1 ;;'
    bench.machine.program("docker", DOCKER.replace("esac", f"  {volume}\n  {network}\nesac"))
    bench.step("examine")


def test_our_own_project_is_no_obstacle_the_second_time(bench: Bench) -> None:
    bench.adopt()
    bench.step("examine")
    bench.machine.program("docker", DOCKER.replace("esac", "  *compose.project=rakazo*) echo 0123456789ab ;;\nesac"))
    bench.step("examine")


def test_data_of_a_docker_that_is_gone_is_not_built_upon(bench: Bench) -> None:
    bench.machine.path("/var/lib/docker").mkdir(parents=True)
    assert "/var/lib/docker is left of a Docker that is gone" in bench.step("examine", fails=True)


def test_a_machine_of_another_stack_or_with_k3s_is_refused(bench: Bench) -> None:
    bench.machine.write("/var/lib/rakazo-infra/stack", "production\n")
    assert "it belongs to the stack production" in bench.step("examine", fails=True)
    bench.machine.write("/var/lib/rakazo-infra/stack", "test\n")
    bench.machine.write("/var/lib/rakazo-infra/k3s-version", "v1.36.2+k3s1 x\n")
    assert "this stack runs k3s on it" in bench.step("examine", fails=True)


@pytest.mark.parametrize(
    ("route", "taken"),
    [
        ("10.189.7.0/24 dev wg0 proto static", "10.189.7.0/24 on wg0"),
        ("10.0.0.0/8 dev wg0 proto static", "10.0.0.0/8 on wg0"),
        ("10.189.255.255 via 10.0.1.1 dev eth0", "10.189.255.255 on eth0"),
    ],
)
def test_a_pool_that_overlaps_what_the_machine_reaches_is_refused(bench: Bench, route: str, taken: str) -> None:
    bench.machine.program("ip", f'case "$*" in *route*) echo "{route}" ;; esac')
    said = bench.step("examine", fails=True)
    assert f"docker.address_pool 10.189.0.0/16 overlaps {taken}" in said
    assert 'such as address_pool: "172.30.0.0/16"' in said


@pytest.mark.parametrize(
    "route",
    [
        "default via 10.189.0.1 dev eth0",
        "10.188.0.0/16 dev eth0",
        "10.190.0.0/16 dev eth0",
        "10.189.3.0/24 dev rakazo-app proto kernel",
        "172.17.0.0/16 dev docker0 proto kernel",
    ],
)
def test_what_lies_beside_the_pool_or_is_ours_is_no_obstacle(bench: Bench, route: str) -> None:
    bench.machine.program("ip", f'case "$*" in *route*) echo "{route}" ;; esac')
    bench.step("examine")


def test_what_the_machine_has_room_for_is_told(bench: Bench) -> None:
    said = notes(bench)
    assert "it has about 16 GiB: 6 computers fit (about 4 GiB for Rakazo and 2Gi for each)" in said
    assert "computers.maximum" not in said


def test_a_machine_with_less_memory_than_its_computers_need_is_told(bench: Bench) -> None:
    bench.deliver(computers=DockerComputers(kind="docker", maximum=7))
    assert "computers.maximum is 7: write a smaller one or a smaller computers.memory" in notes(bench)


POOLS = "  *DefaultAddressPools*) printf '{}' ;;\nesac"


@pytest.mark.parametrize(("base", "size"), [("172.32.0.0/16", 24), ("100.64.0.0/10", 24)])
def test_a_docker_whose_addresses_web_would_not_dial_is_refused(bench: Bench, base: str, size: int) -> None:
    bench.adopt()
    bench.machine.program("docker", DOCKER.replace("esac", POOLS.format(f"10.0.0.0/16 24\\n{base} {size}\\n")))
    assert f"its Docker gives out {base}, and Rakazo's web dials" in bench.step("examine", fails=True)


def test_a_docker_with_fewer_networks_than_there_may_be_computers_is_told(bench: Bench) -> None:
    bench.adopt()
    assert "networks" not in notes(bench), "by itself Docker has room for 31"
    bench.machine.program("docker", DOCKER.replace("esac", POOLS.format("172.20.0.0/16 20\\nfd00::/48 64\\n")))
    assert "networks" not in notes(bench)
    bench.deliver(computers=DockerComputers(kind="docker", maximum=7, memory="512Mi"))
    assert "its Docker has addresses for 16 networks, and 17 are needed" in notes(bench)


def mounted(bench: Bench, source: str) -> None:
    mount = {"source": source, "target": "/mnt/handbook"}
    bench.deliver(computers=DockerComputers.model_validate({"kind": "docker", "mounts": [mount]}))


def test_a_folder_for_computers_has_to_be_there_under_its_own_name(bench: Bench) -> None:
    mounted(bench, "/srv/handbook")
    assert "there is no folder /srv/handbook; make it" in bench.step("examine", fails=True)
    secret = bench.machine.path("/etc/secret")
    secret.mkdir(parents=True)
    bench.machine.path("/srv").mkdir()
    bench.machine.path("/srv/handbook").symlink_to(secret)
    assert "/srv/handbook leads to" in bench.step("examine", fails=True)
    bench.machine.path("/srv/handbook").unlink()
    bench.machine.path("/srv/handbook").mkdir()
    bench.step("examine")


@pytest.mark.parametrize("source", ["/srv", "/srv/docker", "/srv/docker/volumes"])
def test_a_folder_with_dockers_data_is_refused(bench: Bench, source: str) -> None:
    """A Docker that was there before may keep them anywhere."""
    bench.adopt()
    bench.machine.program("docker", DOCKER.replace("esac", "  *DockerRootDir*) echo /srv/docker ;;\nesac"))
    bench.machine.path("/srv/docker/volumes").mkdir(parents=True)
    bench.machine.path("/srv/dockers").mkdir()
    mounted(bench, source)
    assert "computers.mounts: " in bench.step("examine", fails=True)
    mounted(bench, "/srv/dockers")
    bench.step("examine")


def test_podman_under_dockers_name_is_refused(bench: Bench) -> None:
    bench.machine.write("/usr/bin/docker", '#!/bin/sh\nexec /usr/bin/podman "$@"\n')
    assert "its docker is Podman (podman-docker)" in bench.step("examine", fails=True)


def test_a_machine_with_fewer_cores_than_a_limit_is_refused(bench: Bench) -> None:
    """Docker would refuse the container, long after the preview."""
    bench.machine.program("nproc", "echo 1")
    assert "it has 1 cores, and Docker refuses a limit of 2" in bench.step("examine", fails=True)


def test_a_new_machine_is_waited_for(bench: Bench) -> None:
    bench.deliver(is_new=True)
    bench.step("examine")
    assert bench.machine.calls("cloud-init") == ["cloud-init status --wait"]
