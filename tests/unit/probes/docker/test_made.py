"""What is said about how a computer was started."""

from typing import Any

import pytest

from probes.docker.made import faults, socket_mount
from tests.unit.probes.docker.example import NETWORKS, container, facts, own_home


def test_a_computer_as_the_supervisor_makes_it_has_no_fault() -> None:
    assert faults(container(), NETWORKS, facts()) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"Config__User": ""}, "runs as root"),
        ({"Config__User": "0:0"}, "runs as root"),
        ({"HostConfig__Privileged": True}, "privileged"),
        ({"HostConfig__CapDrop": None}, "not all capabilities"),
        ({"HostConfig__CapAdd": ["NET_ADMIN"]}, "NET_ADMIN"),
        ({"HostConfig__SecurityOpt": []}, "can gain privileges"),
        ({"HostConfig__SecurityOpt": ["no-new-privileges", "seccomp=unconfined"]}, "seccomp=unconfined"),
        ({"HostConfig__SecurityOpt": ["no-new-privileges", 'seccomp={"defaultAction":"SCMP_ACT_ALLOW"}']}, "seccomp={"),
        ({"HostConfig__SecurityOpt": ["no-new-privileges", "apparmor=mine"]}, "apparmor=mine"),
        ({"HostConfig__MaskedPaths": []}, "systempaths=unconfined"),
        ({"HostConfig__MaskedPaths": ["/proc/acpi"]}, "are not hidden"),
        ({"HostConfig__CgroupnsMode": "host"}, "CgroupnsMode is host"),
        ({"HostConfig__Mounts": [own_home("")]}, "rakazo-data is mounted"),
        ({"HostConfig__Mounts": [own_home("homes")]}, "rakazo-data/homes is mounted"),
        ({"HostConfig__Mounts": [own_home("homes/bob")]}, "rakazo-data/homes/bob is mounted"),
        ({"HostConfig__Mounts": None, "HostConfig__Binds": ["rakazo-data:/home/rakazo"]}, "rakazo-data is mounted"),
        ({"Config__Labels": {"rakazo.botId": "."}, "HostConfig__Mounts": [own_home("homes/.")]}, "its home is not"),
        ({"Config__Labels": None}, "its home is not"),
        ({"HostConfig__PidMode": "host"}, "PidMode is host"),
        ({"HostConfig__IpcMode": "host"}, "IpcMode is host"),
        ({"HostConfig__Devices": [{"PathOnHost": "/dev/kvm"}]}, "devices"),
        ({"HostConfig__Runtime": "kata"}, "runtime is kata"),
        ({"HostConfig__Memory": 0}, "memory is without limit"),
        ({"HostConfig__MemorySwap": 4 << 30}, "memory with swap"),
        ({"HostConfig__NanoCpus": 0}, "cpu is without limit"),
        ({"HostConfig__NanoCpus": 4_000_000_000}, "cpu is 4000, and must be 2000"),
        ({"HostConfig__PidsLimit": None}, "number of processes is without limit"),
        ({"HostConfig__PidsLimit": -1}, "number of processes is without limit"),
        ({"HostConfig__NetworkMode": "host"}, "machine's network"),
        ({"NetworkSettings__Networks": {}}, "on no network"),
        ({"NetworkSettings__Networks": {"bridge": {}}}, "docker0"),
        ({"NetworkSettings__Networks": {"somebody": {}}}, "that Docker named"),
    ],
)
def test_each_other_way_to_start_it_is_named(changes: dict[str, Any], words: str) -> None:
    found = faults(container(**changes), NETWORKS, facts(), is_new=True)
    assert len(found) == 1
    assert words in found[0]


def test_a_computer_of_before_keeps_its_limits_and_must_have_some() -> None:
    """Rakazo's supervisor does not end a computer because a limit has changed: a change must not close the way in."""
    older = container(HostConfig__Memory=1 << 30, HostConfig__MemorySwap=1 << 30)
    assert faults(older, NETWORKS, facts()) == []
    assert len(faults(older, NETWORKS, facts(), is_new=True)) == 2
    for key in ("Memory", "MemorySwap", "NanoCpus", "PidsLimit"):
        (found,) = faults(container(**{f"HostConfig__{key}": 0}), NETWORKS, facts())
        assert "is without limit" in found


def mount(source: str, target: str, *, writable: bool = True) -> dict[str, Any]:
    return {"Type": "bind", "Source": source, "Destination": target, "RW": writable}


@pytest.mark.parametrize(
    ("added", "words"),
    [
        (mount("/srv/handbook", "/mnt/handbook"), "can be written"),
        (mount("/srv/other", "/home/rakazo/other"), "the settings name no such folder"),
        (mount("/etc", "/mnt", writable=False), "/etc is mounted"),
    ],
)
def test_a_folder_that_nobody_wrote_into_the_settings_is_named(added: dict[str, Any], words: str) -> None:
    (found,) = faults(container(Mounts=[added]), NETWORKS, facts())
    assert words in found


@pytest.mark.parametrize("source", ["/", "/srv", "/srv/homes", "/srv/homes/bob", "/srv/homes/anna/x", "/anna"])
def test_a_folder_that_is_not_the_bots_own_home_is_named(source: str) -> None:
    own = mount("/srv/rakazo/homes/anna", "/home/rakazo")
    assert faults(container(Mounts=[own]), NETWORKS, facts()) == []
    found = faults(container(Mounts=[mount(source, "/home/rakazo")]), NETWORKS, facts())
    assert f"{source} is mounted at /home/rakazo" in found[0]


def test_a_machine_whose_control_groups_nobody_has_alone_is_no_fault_of_a_computer() -> None:
    """Version 1 of them, in which Docker gives everybody the machine's."""
    assert faults(container(HostConfig__CgroupnsMode="host"), NETWORKS, facts(), groups="host") == []


@pytest.mark.parametrize(
    "source",
    [
        *("/var/run/docker.sock", "/run/docker.sock", "/var/run", "/run", "/var", "/"),
        *("/run/containerd/containerd.sock", "/run/containerd", "/var/lib/docker", "/var/lib/containerd", "/var/lib"),
    ],
)
def test_the_sockets_the_folders_of_docker_and_every_folder_above_lead_to_docker(source: str) -> None:
    assert socket_mount(container(Mounts=[mount(source, "/mnt")])) == source
    assert any(
        "Docker's socket" in each for each in faults(container(Mounts=[mount(source, "/mnt")]), NETWORKS, facts())
    )


def test_a_folder_beside_the_socket_does_not() -> None:
    assert socket_mount(container(Mounts=[mount("/var/lib/docker/volumes/rakazo-data/_data", "/data")])) is None
