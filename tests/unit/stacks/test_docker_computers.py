"""Sizes of Docker computers, how many fit, and which folders of the machine they may see."""

import pytest

from stacks.docker_computers import DockerComputers
from tests.unit.stacks.docker_stack import accepted, document, refusals


def computers(memory: str = "2Gi", maximum: int = 4) -> DockerComputers:
    return DockerComputers(kind="docker", memory=memory, maximum=maximum)


@pytest.mark.parametrize(
    ("gib", "memory", "fit"), [(16, "2Gi", 6), (16, "4Gi", 3), (8, "2Gi", 2), (4, "2Gi", 0), (2, "2Gi", 0)]
)
def test_what_rakazo_leaves_of_the_machine_is_divided_by_the_limit(gib: int, memory: str, fit: int) -> None:
    assert computers(memory).fitting(gib) == fit


def test_a_machine_that_is_too_small_is_told_with_the_line_to_write() -> None:
    told, enough = computers(maximum=4).fit(8, "cx33")
    assert not enough
    assert "cx33 has 8 GiB: 2 computers fit" in told
    assert "write maximum: 2" in told


def test_a_machine_that_is_large_enough_is_told_with_the_number() -> None:
    told, enough = computers(maximum=4).fit(16, "cx43")
    assert enough
    assert told.startswith("cx43 has 16 GiB: 6 computers fit (about 4 GiB for Rakazo and 2Gi for each of 4 computers")


@pytest.mark.parametrize(("cpu", "cores"), [("2", 2), ("500m", 1), ("2.5", 3), ("4000m", 4)])
def test_a_limit_takes_whole_cores_of_the_machine(cpu: str, cores: int) -> None:
    assert DockerComputers(kind="docker", cpu=cpu).cores == cores


def mount(source: str = "/srv/handbook", target: str = "/mnt/handbook", **more: object) -> dict[str, object]:
    return {"source": source, "target": target, **more}


def test_a_folder_is_read_only_unless_it_says_otherwise() -> None:
    stack = accepted(document(computers__mounts=[mount()]))
    assert [each.spelled for each in stack.computers.mounts] == ["/srv/handbook:/mnt/handbook:ro"]
    assert len(list(stack.warnings())) == 1


def test_a_folder_that_computers_may_change_is_warned_of() -> None:
    stack = accepted(document(computers__mounts=[mount(read_only=False)]))
    assert [each.spelled for each in stack.computers.mounts] == ["/srv/handbook:/mnt/handbook:rw"]
    assert any("/srv/handbook can be written by every computer" in warning for warning in stack.warnings())


@pytest.mark.parametrize(
    "source",
    [
        *("/", "/etc", "/var/run", "/var/run/docker.sock", "/run/docker.sock", "/proc", "/sys/fs", "/usr/local"),
        *("/root", "/home", "/home/admin", "/opt/handbook", "/snap", "/tmp/handbook"),
    ],
)
def test_folders_of_the_system_are_refused(source: str) -> None:
    """With the socket in a computer, the computer is the machine."""
    (fault,) = refusals(document(computers__mounts=[mount(source)]))
    assert "computers.mounts[0].source is or lies in a folder of the system" in fault


@pytest.mark.parametrize("source", ["srv/x", "/srv/../etc", "/srv/a:b", "/srv/a,b", "/srv/", "/srv/$HOME", "/srv//x"])
def test_paths_that_mean_something_else_are_refused(source: str) -> None:
    (fault,) = refusals(document(computers__mounts=[mount(source)]))
    assert "computers.mounts[0].source is not the plain path of a folder" in fault


@pytest.mark.parametrize("target", ["/", "/etc/x", "/home/rakazo", "/home/rakazo/handbook", "/tmp/x", "/usr"])
def test_a_place_that_the_computer_itself_needs_is_refused(target: str) -> None:
    """A mount in its home leaves a folder of root's there, with which Rakazo never starts that computer again."""
    (fault,) = refusals(document(computers__mounts=[mount(target=target)]))
    assert "lies in a folder that the computer itself needs or writes" in fault


def test_two_folders_in_one_place_are_refused() -> None:
    (fault,) = refusals(document(computers__mounts=[mount(), mount("/srv/other")]))
    assert "mounts: two have the same target" in fault
