"""The rules for computers as text, and what the script asks for; that the kernel obeys is the engine tier's."""

from ipaddress import ip_network

import pytest

from components.docker import egress
from components.machines import unit
from components.rakazo.ranges import not_public
from probes.claims.metadata import METADATA_SERVICES
from probes.docker.cast import STRANGERS_BRIDGE, bridge
from probes.docker.claims import rules
from tests.unit.docker.conftest import Bench

SAVED = "-A {chain} -i eth0 -j ACCEPT"


def test_every_range_of_the_kubernetes_policy_is_denied_to_computers() -> None:
    lines = egress.render_ranges(not_public()).splitlines()
    denied = [line.split()[1] for line in lines if line.startswith(f"{egress.COMPUTERS} ")]
    assert denied == not_public()
    assert {ip_network(text).version for text in denied} == {4, 6}


def test_metadata_is_denied_to_the_application_as_well() -> None:
    lines = egress.render_ranges([]).splitlines()
    assert len(lines) == len(METADATA_SERVICES)
    assert f"{egress.EVERYBODY} 169.254.169.254/32" in lines
    assert f"{egress.EVERYBODY} fd00:ec2::254/128" in lines


def test_a_pattern_matches_the_bridges_of_computers_and_not_the_applications_or_a_strangers() -> None:
    """An interface's name has fifteen characters at most, and the supervisor's have all of them."""
    from components.compose.networks import NETWORKS

    computers, everybody = (pattern.removesuffix("+") for pattern in (egress.COMPUTERS, egress.EVERYBODY))
    own = [network.interface for network in NETWORKS.values()]
    assert all(name.startswith(everybody) and not name.startswith(computers) for name in own)
    probe = bridge(3, "0123abcd")
    assert probe.startswith(computers)
    assert len(probe) <= 15
    assert not STRANGERS_BRIDGE.startswith(everybody)


def test_the_unit_comes_before_docker_and_with_it() -> None:
    unit = egress.render_unit()
    for line in ("Before=docker.service", "PartOf=docker.service", "WantedBy=docker.service", "RemainAfterExit=yes"):
        assert f"{line}\n" in unit
    assert "ExecStop" not in unit, "what Docker left running while it restarts must find the rules"
    assert f"ExecStart={rules.SCRIPT} apply\n" in unit


def test_somebody_looks_after_them_again_and_again() -> None:
    assert f"ExecStart={rules.SCRIPT} keep\n" in egress.render_keeper()
    assert "RemainAfterExit" not in egress.render_keeper(), "a timer starts only what has ended"
    assert f"OnUnitActiveSec={unit.KEEP_SECONDS}\n" in egress.render_timer()
    assert egress.TIMER.removesuffix(".timer") == egress.KEEPER.removesuffix(".service"), "one starts the other"


@pytest.fixture
def script(bench: Bench) -> Bench:
    """Put the files at their places, on a machine with IPv6 and a resolver in a private range."""
    for file in egress.egress_files(["10.0.0.0/8", "fd00::/8"]):
        bench.machine.write(file.path, file.content).chmod(int(file.mode, 8))
    bench.machine.path("/proc/sys/net/ipv6").mkdir(parents=True)
    bench.machine.write("/etc/resolv.conf", "nameserver 10.0.0.53\nnameserver 127.0.0.53\n")
    for program in ("iptables", "ip6tables"):
        bench.machine.program(program, "")
    return bench


def run(script: Bench, word: str) -> str:
    done = script.machine.shell(f"{script.machine.path(rules.SCRIPT)} {word}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_resolver_in_a_denied_range_is_let_through_for_names_alone(script: Bench) -> None:
    printed = run(script, "print")
    opened = [line for line in printed.splitlines() if "10.0.0.53" in line]
    assert len(opened) == 4
    assert all("--dport 53 " in line for line in opened)
    assert "127.0.0.53" not in printed, "loopback is asked from outside of the container"
    order = printed.splitlines()
    assert order.index(opened[0]) < next(number for number, line in enumerate(order) if "10.0.0.0/8" in line)


def test_resolvers_behind_systemds_stub_are_those_that_docker_asks(script: Bench) -> None:
    script.machine.write("/etc/resolv.conf", "nameserver 127.0.0.53\n")
    script.machine.write("/run/systemd/resolve/resolv.conf", "nameserver 192.168.7.1\nnameserver fe80::1%eth0\n")
    printed = run(script, "print")
    assert "-d 192.168.7.1/32 " in printed
    assert "-d fe80::1/128 " in printed


def test_one_transaction_per_family_takes_away_ours_and_nobody_elses(script: Bench) -> None:
    ours = "-A DOCKER-USER -d 172.16.0.0/12 -i rakazo-c+ -m comment --comment rakazo-infra -j DROP"
    theirs = "-A DOCKER-USER -s 192.0.2.7/32 -j DROP"
    answer = f'case "$*" in *"-S DOCKER-USER") echo "{ours}"; echo "{theirs}" ;; esac'
    script.machine.program("iptables", answer)
    script.machine.program("iptables-restore", 'cat >"$RAKAZO_ROOT/restored"')
    run(script, "apply")
    restored = script.machine.text("/restored").splitlines()
    assert (restored[0], restored[-1]) == ("*filter", "COMMIT")
    assert restored[1] == ours.replace("-A", "-D", 1)
    assert not any("192.0.2.7" in line for line in restored)
    assert "-I DOCKER-USER 1 -i rakazo-c+ -o rakazo-c+ -m comment --comment rakazo-infra -j RETURN" in restored
    assert script.machine.calls("iptables-restore")[0].endswith("--noflush")
    assert len(script.machine.calls("ip6tables-restore")) == 1


def kept(script: Bench, whose: str, forward: str, running: bool = True) -> list[str]:
    """Return what systemd is told by who keeps the rules, where FORWARD looks so."""
    script.machine.write("/var/lib/rakazo-infra/docker", f"{whose}\n")
    script.machine.program("iptables", f'case "$*" in *"-S FORWARD") echo "{forward}" ;; esac')
    script.machine.program("iptables-restore", "cat >/dev/null")
    script.machine.program("systemctl", f'case "$*" in is-active*) exit {0 if running else 3} ;; esac')
    run(script, "keep")
    return [call for call in script.machine.calls("systemctl") if "is-active" not in call]


def test_a_docker_of_ours_is_restarted_when_its_own_rules_are_gone(script: Bench) -> None:
    """Without them computers would reach each other."""
    assert kept(script, "ours", "") == ["systemctl --no-block restart docker.service"]


@pytest.mark.parametrize(
    ("whose", "forward", "running"),
    [("ours", "-A FORWARD -j DOCKER-USER", True), ("ours", "", False), ("theirs", "", True)],
)
def test_a_docker_is_left_alone_that_has_its_rules_or_starts_or_is_not_ours(
    script: Bench, whose: str, forward: str, running: bool
) -> None:
    assert kept(script, whose, forward, running) == []


def test_who_keeps_them_follows_the_resolvers(script: Bench) -> None:
    """A machine that starts may know them later than its rules."""
    printed = [line for line in run(script, "print").splitlines() if "--dport 53 " not in line]
    second = [number for number, line in enumerate(printed) if line.startswith("-A FORWARD ")][1]
    for program, there in (("iptables", printed[:second]), ("ip6tables", printed[second:])):
        script.machine.write(f"/{program}", "".join(f"{line}\n" for line in there))
        script.machine.program(program, f'grep -e "^-A ${{4:-none}} " "$RAKAZO_ROOT/{program}" || true')
        script.machine.program(f"{program}-restore", "cat >/dev/null")
    run(script, "check")
    assert script.machine.calls("iptables-restore") == []
    run(script, "keep")
    assert len(script.machine.calls("iptables-restore")) == 1


def test_without_ranges_nothing_is_taken_away(script: Bench) -> None:
    """An empty file would mean that everything is open, and look as if all were well."""
    script.machine.write(egress.RANGES, "")
    done = script.machine.shell(f"{script.machine.path(rules.SCRIPT)} apply")
    assert done.returncode == 1
    assert "missing or empty" in done.stderr
    assert script.machine.calls("iptables-restore") == []


def test_a_kernel_without_ipv6_has_no_rules_of_it(script: Bench) -> None:
    script.machine.path("/proc/sys/net/ipv6").rmdir()
    run(script, "apply")
    assert script.machine.calls("ip6tables") == []
