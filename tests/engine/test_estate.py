"""What is around machines: the two sides, firewalls, the metadata service, the mirror, and two estates in a row.

Needs root. The firewall and the metadata service behave as Hetzner documents them; the real ones are not asked.
"""

import socket
import time
from collections.abc import Iterator

import pytest

from local.checkout import PROJECT
from local.cluster import addresses as plan
from local.machines.records import read_all
from tests.engine.estate_remains import host_before, remains_of
from tests.machines.addresses import OPERATOR, PRIVATE_NIC, PRIVATE_RANGE
from tests.machines.estate import Estate
from tests.machines.firewall import Rule
from tests.machines.machine import Machine
from tests.machines.namespace import Namespace

FOLDER = PROJECT / ".local" / ".estate-test"
FOLDER_OF_ANOTHER = PROJECT / ".local" / ".estate-test-2"

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def estate() -> Iterator[Estate]:
    host_before(FOLDER, FOLDER_OF_ANOTHER)
    with Estate(FOLDER) as made:
        yield made


@pytest.fixture(scope="module")
def first(estate: Estate) -> Machine:
    machine = estate.machine("first", "#cloud-config\n# of the first\n", public="192.175.48.101")
    machine.start()
    return machine


@pytest.fixture(scope="module")
def second(estate: Estate) -> Machine:
    data = "#cloud-config\n# of the second\n"
    machine = estate.machine("second", data, public="192.175.48.102", private="10.0.1.12")
    machine.start()
    return machine


def reaches(place: Namespace, address: str, port: int = 22) -> str:
    """Return `open`, or how a connection from the place failed."""
    with place.inside():
        try:
            socket.create_connection((address, port), 1.0).close()
        except OSError as error:
            return type(error).__name__
    return "open"


def test_the_metadata_service_tells_each_machine_its_own(estate: Estate, first: Machine, second: Machine) -> None:
    where = f"http://{plan.METADATA}/hetzner/v1"
    for machine in (first, second):
        assert machine.run(["curl", "-sf", f"{where}/userdata"]).stdout == machine.user_data
        assert machine.run(["curl", "-sf", f"{where}/metadata/hostname"]).stdout == machine.name
        assert machine.run(["curl", "-sf", f"{where}/metadata/instance-id"]).stdout == machine.instance_id
    assert first.instance_id != second.instance_id
    asked = estate.operator.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", f"{where}/userdata"])
    assert asked.stdout == "404"


def test_the_outside_is_there_with_names_and_nothing_lies_behind_it(first: Machine) -> None:
    assert "public-web" in first.run(["curl", "-sf", f"http://{plan.PUBLIC_NAME}/"]).stdout
    assert "lan-10" in first.run(["curl", "-sf", f"http://{plan.NEIGHBOUR}/"]).stdout
    unreachable = first.run(["curl", "-s", "--max-time", "5", "http://9.9.9.9/"], check=False)
    assert unreachable.returncode == 7, "an address that nobody plays is refused at once, not waited for"


def test_a_private_link_that_is_attached_late_appears_and_reaches_the_other_machine(
    estate: Estate, first: Machine, second: Machine
) -> None:
    assert PRIVATE_NIC not in first.run(["ip", "-brief", "link"]).stdout
    first.attach_private("10.0.1.11")
    shown = first.run(["ip", "-brief", "address", "show", "dev", PRIVATE_NIC]).stdout
    assert f"10.0.1.11/{PRIVATE_RANGE.partition('/')[2]}" in shown
    assert "mtu 1450" in first.run(["ip", "link", "show", "dev", PRIVATE_NIC]).stdout
    first.run(["ping", "-c", "1", "-W", "2", "10.0.1.12"])
    too_long = first.run(["ping", "-c", "1", "-W", "2", "-M", "do", "-s", "1450", "10.0.1.12"], check=False)
    assert too_long.returncode != 0
    assert reaches(estate.operator, "10.0.1.11") != "open", "the private side is not the operator's"


def test_a_firewall_lets_through_what_its_rules_say_and_keeps_what_is_connected(
    estate: Estate, second: Machine
) -> None:
    assert [reaches(place, second.public) for place in (estate.operator, estate.outside)] == ["open", "open"]
    with estate.operator.inside():
        link = socket.create_connection((second.public, 22), 5.0)
    with link:
        assert link.recv(255).endswith(b"\r\n")
        estate.firewall(second, [])
        assert [reaches(place, second.public) for place in (estate.operator, estate.outside)] == ["TimeoutError"] * 2
        link.sendall(b"SSH-2.0-test\r\n")
        assert link.recv(64), "a connection that was let through stays"
    second.run(["curl", "-sf", f"http://{plan.PUBLIC_WEB}/"])
    estate.firewall(second, [Rule(direction="in", protocol="tcp", port="22", networks=(f"{OPERATOR}/32", "::/0"))])
    assert [reaches(place, second.public) for place in (estate.operator, estate.outside)] == ["open", "TimeoutError"]
    web = Rule(direction="out", protocol="tcp", port="80-85", networks=(f"{plan.PUBLIC_WEB}/32",))
    estate.firewall(second, [web])
    second.run(["curl", "-sf", f"http://{plan.PUBLIC_WEB}/"])
    assert second.run(["curl", "-s", "-m", "1", f"http://{plan.NEIGHBOUR}/"], check=False).returncode == 28
    estate.firewall(second, None)
    assert [reaches(place, second.public) for place in (estate.operator, estate.outside)] == ["open", "open"]


def test_an_ssh_port_that_is_held_refuses_and_answers_later(estate: Estate, second: Machine) -> None:
    began = time.monotonic()
    second.hold_ssh(1.0)
    assert reaches(estate.operator, second.public) == "ConnectionRefusedError"
    second.wait_for_ssh()
    assert time.monotonic() - began >= 1.0


def test_the_mirror_serves_fails_as_it_is_told_and_counts(estate: Estate, first: Machine) -> None:
    url = estate.mirror.serve("/v1.36.2%2Bk3s1/k3s", b"x" * 100_000)
    got = ["curl", "-sSf", "-o", "/root/got", "-w", "%{http_code} %{size_download}", url]
    assert first.run(got).stdout == "200 100000"
    codes = {"404": 22, "truncated": 18, "reset": 56}
    for how in ("404", "truncated", "reset"):
        estate.mirror.fail("/v1.36.2+k3s1/k3s", how, times=1)
        assert first.run(got, check=False).returncode == codes[how], how
    assert first.run(got).stdout == "200 100000"
    assert estate.mirror.requests("/v1.36.2+k3s1/k3s") == 5
    estate.mirror.fail("/v1.36.2+k3s1/k3s", "404")
    assert [first.run(got, check=False).returncode for _ in range(2)] == [22, 22]
    estate.mirror.heal("/v1.36.2+k3s1/k3s")
    assert first.run(got).stdout == "200 100000"
    estate.mirror.set_clock(ahead_seconds=3 * 366 * 86_400)
    assert str(int(time.strftime("%Y", time.gmtime())) + 3) in first.run(["curl", "-sI", url]).stdout
    estate.mirror.set_clock(ahead_seconds=0)


def test_an_estate_ends_what_a_killed_one_left_in_its_folder() -> None:
    killed = Estate(FOLDER_OF_ANOTHER).__enter__()
    killed.machine("left", public="192.175.48.101", private="10.0.1.11").start()
    left = read_all(FOLDER_OF_ANOTHER / "pids")
    assert {record.machine for record in left} == {"operator", "outside", "left"}
    killed.forget()
    with Estate(FOLDER_OF_ANOTHER) as again:
        assert not any(record.alive for record in left)
        assert again.machines == {}
    assert remains_of(again) == []
