"""The rules for computers in a kernel of this machine: packets that go through and packets that do not.

There is no Docker, so what it refuses itself between two of its networks is not here. The script is the one that a
machine gets.
"""

import subprocess
from collections.abc import Iterator

import pytest

from probes.reach import Answer
from tests.engine.egress_world import MACHINE, OUTSIDE, PORT, PUBLIC, World, names_asked, tried, world_in


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world_in(tmp_path_factory.mktemp("root")) as made:
        yield made


def test_without_rules_everything_is_open(world: World) -> None:
    """Else nothing that follows would mean anything."""
    everything = OUTSIDE | MACHINE
    assert tried(world.computer, everything, 3.0) == dict.fromkeys(everything, Answer.OPEN)


def test_with_them_a_computer_reaches_the_public_internet_alone(world: World) -> None:
    world.script("apply")
    found = tried(world.computer, OUTSIDE | MACHINE)
    assert {name for name, answer in found.items() if answer is Answer.OPEN} == PUBLIC, found
    world.script("check")


def test_nobody_else_feels_them(world: World) -> None:
    everything = OUTSIDE | MACHINE
    everything = {name: address for name, address in everything.items() if not name.startswith("gateway")}
    assert tried(world.stranger, everything, 3.0) == dict.fromkeys(everything, Answer.OPEN)


def test_the_machine_itself_may_look_at_a_computer(world: World) -> None:
    """Its answer comes back through the chain that closes the machine."""
    own = {"computer": "10.189.1.2", "computer6": "fd00:1::2"}
    assert tried(world.machine, own) == dict.fromkeys(own, Answer.OPEN)


def test_the_resolver_is_asked_for_names_and_for_nothing_else(world: World) -> None:
    assert names_asked(world.computer, OUTSIDE["resolver"]) is Answer.REFUSED
    assert names_asked(world.computer, OUTSIDE["10"]) is Answer.SILENT
    assert tried(world.computer, {"resolver": OUTSIDE["resolver"]})["resolver"] is Answer.SILENT


def test_writing_them_again_lets_nothing_through_meanwhile(world: World) -> None:
    program = [
        "import socket, sys, time",
        "end, count, opened = time.monotonic() + float(sys.argv[2]), 0, 0",
        "while time.monotonic() < end:",
        "    with socket.socket() as link:",
        "        link.settimeout(0.02)",
        "        count += 1",
        "        opened += link.connect_ex((sys.argv[1], int(sys.argv[3]))) == 0",
        "print(count, opened)",
    ]
    line = world.computer.line("python3", "-c", "\n".join(program), OUTSIDE["10"], "3", str(PORT))
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as trying:
        written = 0
        while trying.poll() is None:
            world.script("apply")
            written += 1
        assert trying.stdout is not None
        count, opened = map(int, trying.stdout.read().split())
    assert (written > 3, count > 20, opened) == (True, True, 0), (written, count, opened)


@pytest.mark.parametrize(
    ("program", "rule", "words"),
    [
        ("iptables", ["DOCKER-USER", "-d", "172.16.0.0/12", "-i", "rakazo-c+"], "-d 172.16.0.0/12"),
        ("ip6tables", ["DOCKER-USER", "-d", "fd00::/8", "-i", "rakazo-c+"], "IPv6: 1 of"),
        ("iptables", ["INPUT", "-i", "rakazo-c+"], "rules of INPUT are missing"),
    ],
)
def test_a_rule_that_is_missing_is_named(world: World, program: str, rule: list[str], words: str) -> None:
    world.machine.run(program, "-D", *rule, "-m", "comment", "--comment", "rakazo-infra", "-j", "DROP")
    done = world.script("check", check=False)
    assert done.returncode == 1
    assert words in done.stderr
    world.script("apply")
    world.script("check")


@pytest.mark.parametrize(
    ("rule", "harms"),
    [
        (["-d", "10.99.0.0/16", "-j", "ACCEPT"], True),
        (["-i", "rakazo-c0000001", "-j", "RETURN"], True),
        (["-i", "r+", "-j", "ACCEPT"], True),
        (["-i", "wan0", "-j", "ACCEPT"], False),
        (["-i", "rakazo-front", "-j", "RETURN"], False),
        (["-s", "192.0.2.7", "-j", "DROP"], False),
    ],
)
def test_what_stands_in_front_of_them_counts_when_it_lets_a_computer_through(
    world: World, rule: list[str], harms: bool
) -> None:
    world.machine.run("iptables", "-I", "DOCKER-USER", *rule)
    done = world.script("check", check=False)
    world.machine.run("iptables", "-D", "DOCKER-USER", *rule)
    assert (done.returncode != 0) is harms, done.stderr


@pytest.mark.parametrize(
    ("chain", "jump", "rule", "harms"),
    [
        ("FORWARD", [], ["-o", "wan0", "-j", "ACCEPT"], True),  # as a VPN's
        ("FORWARD", ["-i", "wan0"], ["-j", "ACCEPT"], False),
        ("DOCKER-USER", ["-g"], ["-d", "10.99.0.0/16", "-j", "ACCEPT"], True),
        ("INPUT", [], ["-i", "lo", "-j", "ACCEPT"], False),
        ("INPUT", [], ["-s", "192.0.2.7", "-j", "REJECT"], False),
        ("INPUT", [], ["-j", "RETURN"], False),  # as of those who ban addresses
    ],
)
def test_a_chain_in_front_of_them_counts_when_it_lets_a_computer_through(
    world: World, chain: str, jump: list[str], rule: list[str], harms: bool
) -> None:
    led = [*jump, "outer"] if "-g" in jump else [*jump, "-j", "outer"]
    for words in (["-N", "outer"], ["-N", "inner"], ["-A", "outer", "-j", "inner"], ["-A", "inner", *rule]):
        world.machine.run("iptables", *words)
    world.machine.run("iptables", "-I", chain, *led)
    done = world.script("check", check=False)
    world.script("keep")
    world.script("check")  # they are in front of it now
    world.machine.run("iptables", "-D", chain, *led)
    for words in (["-F", "outer"], ["-F", "inner"], ["-X", "outer"], ["-X", "inner"]):
        world.machine.run("iptables", *words)
    assert (done.returncode != 0) is harms, done.stderr


@pytest.mark.parametrize("gone", [("iptables", "-F"), ("ip6tables", "-F", "INPUT"), ("iptables", "-F", "FORWARD")])
def test_whoever_keeps_them_brings_them_back_and_is_silent_when_they_are_there(
    world: World, gone: tuple[str, ...]
) -> None:
    world.machine.run(*gone)
    assert "they are back in force" in world.script("keep").stderr
    world.script("check")
    assert world.script("keep").stderr == ""


def test_removed_they_are_gone_and_what_others_wrote_stays(world: World) -> None:
    world.machine.run("iptables", "-A", "DOCKER-USER", "-s", "192.0.2.7", "-j", "DROP")
    world.script("remove")
    left = world.machine.run("iptables-save").stdout + world.machine.run("ip6tables-save").stdout
    assert "rakazo" not in left
    assert "-A DOCKER-USER -s 192.0.2.7/32 -j DROP" in left
    assert tried(world.computer, OUTSIDE, 3.0) == dict.fromkeys(OUTSIDE, Answer.OPEN)
