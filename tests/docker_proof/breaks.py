"""How each broken variant is broken: one function, one slip, undone at the end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import yaml

from components.kubernetes import names
from probes.docker import cast, made
from probes.docker.scene import OTHERS
from tests.docker_host import DockerHost
from tests.docker_proof.host_runner import facts

BROKEN = "/run/rakazo-broken.yaml"
COMPOSE = "/usr/local/lib/rakazo-docker/compose"
FILES = ("/etc/rakazo-infra/compose.yaml", "/etc/rakazo-infra/entry.yaml")
MARK = ("-m", "comment", "--comment", "rakazo-infra")
SECRETS = "/etc/rakazo-infra/secrets"
ROGUE = "rakazo-bot-rogue"


def run(host: DockerHost, *argv: str, stdin: str | None = None) -> str:
    """Run a program on the machine; subprocess.CalledProcessError when it fails."""
    return host.machine.run(list(argv), stdin=stdin, seconds=120.0).stdout


@contextmanager
def rules_missing(host: DockerHost) -> Iterator[None]:
    """Take all rules away, as a tool does that flushes what it does not know."""
    run(host, "rakazo-egress", "remove")
    try:
        yield
    finally:
        run(host, "rakazo-egress", "apply")


@contextmanager
def _without(host: DockerHost, program: str, chain: str, *rule: str) -> Iterator[None]:
    run(host, program, "-w", "-D", chain, *rule)
    try:
        yield
    finally:
        run(host, "rakazo-egress", "apply")


def range_missing(host: DockerHost) -> Any:
    """Leave one range out of what computers are kept from."""
    rule = ("-d", "172.16.0.0/12", "-i", "rakazo-c+", *MARK, "-j", "DROP")
    return _without(host, "iptables", "DOCKER-USER", *rule)


def machine_open(host: DockerHost) -> Any:
    """Forget that the machine is a neighbour as well."""
    return _without(host, "iptables", "INPUT", "-i", "rakazo-c+", *MARK, "-j", "DROP")


def family_missing(host: DockerHost) -> Any:
    """Leave one range of IPv6 open, which no computer of this machine has an address to try."""
    return _without(host, "ip6tables", "DOCKER-USER", "-d", "fd00::/8", "-i", "rakazo-c+", *MARK, "-j", "DROP")


@contextmanager
def exception_in_front(host: DockerHost) -> Iterator[None]:
    """Let computers into one network, in a rule before all others."""
    rule = ("DOCKER-USER", "-d", "10.99.0.0/16", "-j", "ACCEPT")
    run(host, "iptables", "-w", "-I", *rule)
    try:
        yield
    finally:
        run(host, "iptables", "-w", "-D", *rule)


@contextmanager
def lost_at_restart(host: DockerHost) -> Iterator[None]:
    """Switch the unit off, lose the rules, and restart Docker, which brings back its own rules and not these."""
    run(host, "systemctl", "disable", "--now", "rakazo-egress")
    run(host, "rakazo-egress", "remove")
    run(host, "systemctl", "restart", "docker")
    try:
        yield
    finally:
        run(host, "systemctl", "enable", "--now", "rakazo-egress")


@contextmanager
def unit_disabled(host: DockerHost) -> Iterator[None]:
    """Leave the rules in force and forget the next start of the machine."""
    run(host, "systemctl", "disable", "rakazo-egress")
    try:
        yield
    finally:
        run(host, "systemctl", "enable", "rakazo-egress")


@contextmanager
def nobody_watches(host: DockerHost) -> Iterator[None]:
    """Leave the rules in force and switch off who looks whether they still are."""
    run(host, "systemctl", "disable", "--now", "rakazo-egress-keep.timer")
    try:
        yield
    finally:
        run(host, "systemctl", "enable", "--now", "rakazo-egress-keep.timer")


def _up(host: DockerHost, service: str, *files: str) -> None:
    there = [path for path in FILES if host.machine.run(["test", "-e", path], check=False).returncode == 0]
    given = [word for path in (*there, *files) for word in ("--file", path)]
    words = ["up", "--detach", "--no-deps", "--wait", "--wait-timeout", "90", service]
    path = "PATH=/usr/local/lib/rakazo-docker/current:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    run(host, "env", path, COMPOSE, "--project-name", "rakazo", "--progress", "plain", *given, *words)


@contextmanager
def _overridden(host: DockerHost, service: str, change: Mapping[str, Any]) -> Iterator[None]:
    """Start a service with something else beside what the project says."""
    run(host, "sh", "-c", f"cat >{BROKEN}", stdin=yaml.safe_dump({"services": {service: dict(change)}}))
    try:
        _up(host, service, BROKEN)
        yield
    finally:
        run(host, "rm", "-f", BROKEN)
        _up(host, service)


def token_in_web(host: DockerHost) -> Any:
    """Give web what commands the supervisor."""
    (line,) = [
        each
        for each in run(host, "cat", f"{SECRETS}/supervisor.env").splitlines()
        if each.startswith("SANDBOX_SUPERVISOR_TOKEN=")
    ]
    return _overridden(host, "web", {"environment": [line]})


def socket_in_api(host: DockerHost) -> Any:
    """Give api what the supervisor is there to keep from it."""
    return _overridden(host, "api", {"volumes": ["/var/run/docker.sock:/var/run/docker.sock"]})


def port_published(host: DockerHost) -> Any:
    """Publish Postgres on every address, as for a look into the database."""
    return _overridden(host, "postgres", {"ports": ["5432:5432"]})


def limit_unset(host: DockerHost) -> Any:
    """Switch off what stops a computer that takes all memory."""
    return _overridden(host, "supervisor", {"environment": {"RAKAZO_COMPUTER_MEMORY": "0"}})


def egress_not_demanded(host: DockerHost) -> Any:
    """Let computers start whether there are rules or not."""
    return _overridden(host, "supervisor", {"environment": {"SANDBOX_COMPUTER_EGRESS": "open"}})


def supervisor_everywhere(host: DockerHost) -> Any:
    """Have the supervisor listen on all of its networks, those of computers among them."""
    return _overridden(host, "supervisor", {"environment": {"SUPERVISOR_HOST": "0.0.0.0"}})  # noqa: S104


@contextmanager
def web_beside_the_database(host: DockerHost) -> Iterator[None]:
    """Put web onto the database's network."""
    run(host, "docker", "network", "connect", "rakazo_database", "rakazo-web-1")
    try:
        yield
    finally:
        run(host, "docker", "network", "disconnect", "rakazo_database", "rakazo-web-1")


@contextmanager
def secrets_readable(host: DockerHost) -> Iterator[None]:
    """Let every user of the machine read a file of secrets."""
    run(host, "chmod", "644", f"{SECRETS}/api.env")
    try:
        yield
    finally:
        run(host, "chmod", "600", f"{SECRETS}/api.env")


@contextmanager
def secret_in_a_unit(host: DockerHost) -> Iterator[None]:
    """Write a secret's value into a file that systemd and everybody else reads."""
    path = "/etc/systemd/system/rakazo-notes.conf"
    run(host, "sh", "-c", f"cat {SECRETS}/kept.env >{path}")
    try:
        yield
    finally:
        run(host, "rm", "-f", path)


@contextmanager
def _by_hand(host: DockerHost, *given: str) -> Iterator[None]:
    image, name = host.settings.images.computer, ("--name", ROGUE, "--entrypoint", "sleep")
    run(host, "docker", "run", "--detach", "--pull", "never", *name, *given, image, "1800")
    try:
        yield
    finally:
        run(host, "docker", "rm", "--force", ROGUE)


def rogue_computer(host: DockerHost) -> Any:
    """Start a computer by hand, with more than a computer has, on a network of which no rule knows."""
    return _by_hand(host, "--privileged", "--user", "0:0")


def home_of_everybody(host: DockerHost) -> Any:
    """Start a computer as the supervisor does, and forget which part of Rakazo's data is its bot's home."""
    mount = f"type=volume,source={names.DATA_VOLUME},target={made.HOME},volume-nocopy"
    own = cast.as_computer(cast.limits(facts(host)), OTHERS, "rogue")
    return _by_hand(host, *own, "--label", f"{made.BOT}=rogue", "--mount", mount)
