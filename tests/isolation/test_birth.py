"""The first moments of a computer: what it reaches before its policy is in force."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from kubernetes.client.exceptions import ApiException

from probes import birth
from probes.pods import Pods
from tests.deployments import Deployed
from tests.isolation.admission import MUTATING, VALIDATING, eventually, refusal, unbound
from tests.rakazo_account import as_computer, as_rakazo

BLOCKED = ("10.10.0.12", 10250)
"""The kubelet of the very node: the nearest blocked listener, so the widest window."""
COMPUTERS = 10


def windows(deployed: Deployed, prefix: str, count: int = COMPUTERS) -> list[birth.Window]:
    """Start computers at once, each counting its connections to a blocked address from its first instruction."""
    making, watching = as_rakazo(deployed), deployed.pods(deployed.computers)
    names = [f"{prefix}-{number}" for number in range(count)]
    for name in names:
        making.create(as_computer(name, deployed, birth.command(*BLOCKED, seconds=4.0)))
    try:
        return [_wait(watching, name) for name in names]
    finally:
        for name in names:
            watching.delete(name)


def _wait(pods: Pods, name: str, seconds: float = 120.0) -> birth.Window:
    deadline = time.monotonic() + seconds
    pods.wait_running(name, seconds)
    while time.monotonic() < deadline:
        if found := birth.window(pods.log(name)):
            return found
        time.sleep(0.3)
    raise AssertionError(f"{name} did not finish counting in {seconds} s: {pods.explain(name)}")


@contextmanager
def without_the_wait(deployed: Deployed) -> Iterator[None]:
    """Take away the mutating policy, and the rule that refuses a computer which it did not touch."""
    rakazo, administrator = as_rakazo(deployed), deployed.pods(deployed.computers)

    def in_force() -> list[bool]:
        """Whether a computer of Rakazo's gets the wait, and whether one of the administrator's is refused."""
        return [_waits(rakazo, deployed), refusal(administrator, as_computer("judged", deployed)) is not None]

    try:
        with (
            unbound(deployed, MUTATING, f"{deployed.application}-startup-wait"),
            unbound(deployed, VALIDATING, f"{deployed.application}-computers"),
        ):
            eventually(in_force, lambda seen: seen == [False, False])
            yield
    finally:
        # Both: whoever comes next must not find the door ajar.
        eventually(in_force, lambda seen: seen == [True, True])


def _waits(pods: Pods, deployed: Deployed) -> bool:
    try:
        made = pods.create(as_computer("mutated", deployed), dry_run=True)
    except ApiException:
        return True  # refused for having no wait: the validating policy is still in force for this server
    return bool(made.spec.init_containers)


def test_no_computer_reaches_anything_blocked_in_its_first_seconds(deployed: Deployed) -> None:
    """B066: ten computers at once, from the first instruction, not one connection."""
    seen = windows(deployed, "born")
    assert birth.fault(seen) is None


def test_without_the_waiting_policy_the_window_is_open_and_found(deployed: Deployed) -> None:
    """B066: the same measurement without the mutating policy finds connections, so it can fail."""
    with without_the_wait(deployed):
        seen = windows(deployed, "early")
    wrong = birth.fault(seen)
    assert wrong is not None
    assert "mutating admission policy" in wrong
