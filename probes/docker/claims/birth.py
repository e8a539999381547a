"""The first seconds of a computer: the rules know its bridge before it exists."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from probes import birth
from probes.birth import Window
from probes.claim import Claim, Evidence, Group
from probes.claims.metadata import METADATA_SERVICES, http
from probes.docker.containers import ContainerError
from probes.docker.scene import DockerScene
from probes.reach import Destination
from probes.vantage import Vantage

COMPUTERS = 4
SECONDS = 2.5
"""For which each counts."""
CONTROL_SECONDS = 8.0
"""For which the control tries at most: on a busy machine it may be slow."""
COUNT_SECONDS = 30.0
"""Beyond the time for which they count."""


def claims() -> Iterator[Claim]:
    """The claim about new computers."""
    yield Claim(
        id="birth-window",
        group=Group.BIRTH,
        sentence="A new computer reaches nothing that is denied, from its first instruction on.",
        reason="A program that waits for its own start would find every door open, each time.",
        method=f"{COMPUTERS} computers are made at once, on a computers' network that is there already; each tries the "
        f"machine and a metadata service for {SECONDS} s, its first instruction being the first attempt.",
        control="The same program in a container on a network that no rule knows connects.",
        remedy="`rakazo-egress check` on the machine: the rules match the names of computers' bridges (rakazo-c…), "
        "whenever those are made.",
        look=_window,
    )


def targets(scene: DockerScene) -> list[Destination]:
    """Return listeners that computers must not reach: the machine where it answers, and the cloud's metadata.

    One of each in every family that computers have.
    """
    machine = [
        Destination(name="a port of the machine", address=address, port=scene.facts.ssh_port)
        for address in scene.around.machine
    ]
    found = []
    for family in sorted(scene.around.families):
        for listeners in (machine, [http(each) for each in METADATA_SERVICES]):
            found += [each for each in listeners if each.family == family][:1]
    return found


def _window(scene: DockerScene) -> Iterator[Evidence]:
    tried = targets(scene)
    pairs = [(each.address, each.port) for each in tried]

    def born(number: int) -> tuple[Window, ...]:
        with scene.computer(f"born-{number}", birth.command(pairs, SECONDS)) as name:
            return _counted(scene, name, SECONDS)

    def control() -> tuple[Window, ...]:
        with scene.stranger("born-control", birth.command(pairs, CONTROL_SECONDS, enough=1)) as name:
            return _counted(scene, name, CONTROL_SECONDS)

    with ThreadPoolExecutor(COMPUTERS + 1) as pool:
        controlling = pool.submit(control)
        births = list(pool.map(born, range(COMPUTERS)))
        controls = controlling.result()
    for number, target in enumerate(tried):
        windows = [each[number] for each in births]
        reached = not birth.closed(windows)
        yield Evidence(
            subject=f"{len(births)} new computers → {target}",
            seen=birth.told(windows),
            control=f"{Vantage.STRANGER}: {birth.told([controls[number]])}",
            holds=False if reached else (True if controls[number].opened else None),
        )


def _counted(scene: DockerScene, name: str, seconds: float) -> tuple[Window, ...]:
    deadline = time.monotonic() + seconds + COUNT_SECONDS
    while True:
        found = birth.windows(scene.containers.log(name))
        if found is not None:
            return found
        if time.monotonic() > deadline:
            raise ContainerError(f"{name} did not finish counting: {scene.containers.explain(name)}")
        time.sleep(0.3)
