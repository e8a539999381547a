"""What is said of the application's own containers."""

import json
from collections.abc import Sequence

from probes.claim import Evidence
from probes.docker.claims import application
from probes.docker.containers import Containers
from probes.docker.runner import Did
from probes.docker.scene import DockerScene
from probes.vantage import DOCKER_SERVICES
from tests.unit.probes.docker.example import around, facts

OLD = f"registry.test/app@sha256:{'d' * 64}"


class Machine:
    """A Docker in which each container's image is called like the container."""

    def __init__(self, **others: str) -> None:
        self._others = others

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        _, kind, _, *names = command
        if kind == "container":
            return Did(exit_code=0, output=json.dumps([{"Image": name} for name in names]), errors="")
        (name,) = names
        pinned = facts().image_postgres if "postgres" in name else facts().image_app
        found = [{"RepoDigests": [self._others.get(name.replace("-", "_"), pinned)]}]
        return Did(exit_code=0, output=json.dumps(found), errors="")


def looked(machine: Machine, **more: tuple[str, ...]) -> list[Evidence]:
    (claim,) = [each for each in application.claims() if each.id == "application-image"]
    assert claim.look is not None
    running = {str(service): (f"rakazo-{service}-1",) for service in DOCKER_SERVICES} | more
    return list(claim.look(DockerScene(Containers(machine), facts(), around(containers=running), "0badc0de")))


def test_every_container_of_a_service_is_looked_at() -> None:
    """One that stays behind of an older release is as much the application as the new one."""
    two = ("rakazo-web-1", "rakazo-web-2")
    assert {each.holds for each in looked(Machine(), web=two)} == {True}
    found = [each for each in looked(Machine(rakazo_web_2=OLD), web=two) if each.holds is False]
    assert [(each.subject, each.seen) for each in found] == [("web", OLD)]


def test_a_service_of_which_nothing_runs_fails() -> None:
    (found,) = [each for each in looked(Machine(), web=()) if each.holds is not True]
    assert (found.subject, found.seen, found.holds) == ("web", "no container runs", False)
