"""A machine that has Docker already, with somebody else's project on it and rules of a firewall of its own.

The tests are one life of the machine, in their order: all of that is there and the same, from before the first `up` to
after the destroy.
"""

from collections.abc import Iterator

import pytest

from tests.docker_of_somebody import DockerOfSomebody
from tests.estate_docker import SERVICES, EstateDocker, estate_docker

pytestmark = pytest.mark.timeout(900)
OURS = ("/usr/local/lib/rakazo-infra", "/var/lib/rakazo-infra", "/usr/local/lib/rakazo-docker", "/etc/rakazo-infra")


@pytest.fixture(scope="module")
def host() -> Iterator[EstateDocker]:
    with estate_docker(".test-docker-adopted") as made:
        yield made


@pytest.fixture(scope="module")
def theirs(host: EstateDocker) -> DockerOfSomebody:
    made = DockerOfSomebody(host)
    made.install()
    return made


@pytest.fixture(scope="module")
def before(theirs: DockerOfSomebody) -> dict[str, str]:
    return theirs.seen()


def test_what_is_there_is_something_to_lose(before: dict[str, str]) -> None:
    assert before["file"] == "theirs\n"
    assert before["container"].endswith("running\n")
    assert before["rules"].count("of-somebody") == 2


def test_a_docker_that_writes_no_rules_is_refused_and_left_as_it_is(
    host: EstateDocker, theirs: DockerOfSomebody, before: dict[str, str]
) -> None:
    """The chain stands for them: Docker without iptables has none."""
    host.machine.run(["iptables", "-E", "DOCKER-USER", "DOCKER-AWAY"])
    outcome = host.stack.up()
    host.machine.run(["iptables", "-E", "DOCKER-AWAY", "DOCKER-USER"])
    assert outcome.code != 0, outcome.output
    assert "its Docker writes no iptables rules" in outcome.output, outcome.output
    assert theirs.seen() == before


def test_it_is_adopted_and_proven_and_nothing_of_theirs_is_touched(
    host: EstateDocker, theirs: DockerOfSomebody, before: dict[str, str]
) -> None:
    outcome = host.up("first up on an adopted Docker")
    assert outcome.code == 0, f"{outcome.diagnostics}\n{host.journal()}"
    assert "claims proven" in outcome.output, outcome.output
    assert theirs.seen() == before
    assert host.there("/etc/systemd/system/docker.service", "/usr/local/bin/docker", "/usr/local/lib/docker") == []
    assert set(SERVICES) < set(host.containers())


def test_a_change_touches_nothing_of_theirs(
    host: EstateDocker, theirs: DockerOfSomebody, before: dict[str, str]
) -> None:
    host.settings["computers"] = {**host.settings["computers"], "pids": 300}
    host.write()
    outcome = host.up("a change on an adopted Docker")
    assert outcome.code == 0, f"{outcome.diagnostics}\n{host.journal()}"
    assert theirs.seen() == before
    assert host.stack.pulumi.run("preview", "--expect-no-changes").code == 0


def test_destroy_leaves_docker_and_everything_of_theirs(
    host: EstateDocker, theirs: DockerOfSomebody, before: dict[str, str]
) -> None:
    outcome = host.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert theirs.seen() == before
    assert host.there(*OURS) == []
    assert host.docker("ps", "--all", "--quiet").split() == before["container"].split()[0][:12].split()
    rules = host.machine.run(["iptables-save"]).stdout
    assert [line for line in rules.splitlines() if "rakazo" in line] == []
