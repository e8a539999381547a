"""What new computers on one machine try first."""

from probes.docker.claims.birth import targets
from probes.docker.containers import Containers
from probes.docker.scene import DockerScene
from probes.docker.surroundings import Around
from probes.vantage import Vantage
from tests.unit.probes.docker.example import around, facts
from tests.unit.probes.docker.test_claim_secrets import Machine

MACHINE = ("2a00::9", "203.0.113.9", "172.17.0.1")


def tried(here: Around) -> list[tuple[str, int]]:
    scene = DockerScene(Containers(Machine("")), facts(), here, "0badc0de")
    return [(each.address, each.port) for each in targets(scene)]


def test_a_computer_tries_only_what_it_has_an_address_for() -> None:
    """The machine's first address may be of the other family, and closed for no other reason than that."""
    assert tried(around(machine=MACHINE)) == [("203.0.113.9", 22), ("169.254.169.254", 80)]


def test_a_computer_with_two_families_tries_both() -> None:
    both = {**around().cast, Vantage.COMPUTER: ("10.189.10.2", "fd00:1::2")}
    assert tried(around(machine=MACHINE, cast=both)) == [
        ("203.0.113.9", 22),
        ("169.254.169.254", 80),
        ("2a00::9", 22),
        ("fd00:ec2::254", 80),
    ]
