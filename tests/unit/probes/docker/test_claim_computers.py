"""The look at every computer of a machine, while computers come and go."""

import json
from collections.abc import Sequence
from typing import Any

from probes.claim import Evidence
from probes.docker.claims import identity
from probes.docker.containers import Containers
from probes.docker.runner import Did
from probes.docker.scene import DockerScene
from tests.unit.probes.docker.example import NETWORKS, around, container, facts

STRANGER = container(Name="/rakazo-verify-stranger", HostConfig__Memory=0)


class Machine:
    """A Docker of which each listing of computers shows the next state."""

    def __init__(self, *states: Sequence[dict[str, Any]], own: Sequence[dict[str, Any]] = (STRANGER,)) -> None:
        self._states = list(states)
        self._own = own
        self._now: dict[str, dict[str, Any]] = {}

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        return Did(exit_code=0, output=self._answer(list(command)), errors="")

    def _answer(self, command: list[str]) -> str:
        match command:
            case ["docker", "ps", *_]:
                state = self._states.pop(0) if len(self._states) > 1 else self._states[0]
                self._now = {each["Name"].removeprefix("/"): each for each in (*state, *self._own)}
                return "\n".join(each["Name"].removeprefix("/") for each in state)
            case ["docker", "container", "inspect", *wanted]:
                return json.dumps([self._now[name] for name in wanted if name in self._now])
            case ["docker", "network", "ls", *_]:
                return "\n".join(NETWORKS)
            case ["docker", "network", "inspect", *wanted]:
                return json.dumps([{"Name": name, **NETWORKS[name]} for name in wanted])
        raise AssertionError(command)


def looked(machine: Machine) -> list[Evidence]:
    (claim,) = [each for each in identity.claims() if each.id == "identity-computers"]
    assert claim.look is not None
    return list(claim.look(DockerScene(Containers(machine), facts(), around(), "0badc0de")))


def computer(bot: str, **changes: Any) -> dict[str, Any]:
    """Return a computer on a network that is gone when somebody looks for it."""
    gone: dict[str, Any] = {f"rakazo-computer-{bot}": {}}
    return container(Id=bot, Name=f"/rakazo-bot-{bot}", NetworkSettings__Networks=gone, **changes)


def test_a_computer_as_the_settings_say_holds_beside_one_that_is_none() -> None:
    (found,) = looked(Machine([container()]))
    assert (found.subject, found.holds) == ("rakazo-bot-anna", True)
    assert "memory is without limit" in found.control


def test_a_look_that_finds_nothing_wrong_with_anybody_proves_nothing() -> None:
    (found,) = looked(Machine([container()], own=[container(Name="/rakazo-verify-stranger")]))
    assert found.holds is None
    (found,) = looked(Machine([container()], own=[]))
    assert found.holds is None
    (found,) = looked(Machine([container(HostConfig__Privileged=True)], own=[]))
    assert found.holds is False


def test_a_computer_that_ends_during_the_look_is_left_out() -> None:
    """Its network goes with it, and one that Docker does not know any more looks like one without a bridge's name."""
    (found,) = looked(Machine([container(), computer("bob")], [container()]))
    assert (found.subject, found.holds) == ("rakazo-bot-anna", True)
    (found,) = looked(Machine([computer("bob")], [computer("bob", State={"Running": False})]))
    assert (found.seen, found.holds) == ("none runs now", None)
    (found,) = looked(Machine([computer("bob")], [{**computer("bob"), "Id": "another of the same name"}]))
    assert found.holds is None


def test_a_computer_that_stays_without_a_network_of_the_rules_fails() -> None:
    (found,) = looked(Machine([computer("bob")]))
    assert found.holds is False
    assert "that Docker named" in found.seen


def test_the_errands_own_computer_is_left_to_its_claim_and_hides_nobody() -> None:
    errands = container(Name="/rakazo-bot-verify")
    (found,) = looked(Machine([errands]))
    assert (found.seen, found.holds) == ("none runs now", None)
    (found,) = looked(Machine([container(Name="/rakazo-bot-verify", HostConfig__Privileged=True)]))
    assert (found.subject, found.holds) == ("rakazo-bot-verify", False)
