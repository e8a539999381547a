"""The first seconds of a computer: network plugins apply policies some time after a pod has started."""

import statistics
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from probes import birth
from probes.birth import Birth, Window
from probes.claim import Claim, Evidence, Group
from probes.claims.destinations import FAMILIES, families
from probes.facts import Facts
from probes.newborns import blocked, measure, measure_control
from probes.pods import PodError
from probes.reach import Destination
from probes.scene import Scene

COMPUTERS = 4
"""At once: a busy network plugin is a late one."""
OPEN = "network policies are not in force"
"""Said by the wait of a computer that does not start: closed, and of no use."""
SECONDS = 2.5
"""For which each counts; without the wait, the window that was seen is under one."""
CONTROL_SECONDS = 8.0
"""For which the control tries at most: on a busy node it may be slow."""


def claims(facts: Facts) -> Iterator[Claim]:
    """The claim about new computers."""
    yield Claim(
        id="birth-window",
        group=Group.BIRTH,
        sentence="A new computer reaches nothing that is denied, from its first instruction on.",
        reason="A program that waits for its own start finds every door open for about a second, each time.",
        method=f"{COMPUTERS} computers are made at once; each tries a node's kubelet and the API server for {SECONDS} "
        "s, its first instruction being the first attempt.",
        control="The same program in a pod that no policy selects connects.",
        remedy=_remedy(facts),
        look=_window,
    )


def _remedy(facts: Facts) -> str:
    if facts.waits_for_policies:
        return (
            f"The mutating admission policy {facts.application}-startup-wait puts a wait before a computer's first "
            "program; `kubectl get mutatingadmissionpolicies,mutatingadmissionpolicybindings` must list it, "
            "`pulumi up --refresh` writes it anew. When policies never come into force, look at the network plugin of "
            "the computers' nodes."
        )
    return (
        "Kubernetes below 1.36 cannot hold a computer back until its policies are in force: upgrade the cluster to "
        "1.36 and write target.kubernetes_version."
    )


def _window(scene: Scene) -> Iterator[Evidence]:
    with ThreadPoolExecutor(1) as pool:
        control = pool.submit(measure_control, scene, CONTROL_SECONDS)
        try:
            births = measure(scene, COMPUTERS, SECONDS)
        except PodError as error:
            if OPEN not in str(error):
                raise
            seen = f"one does not start: {OPEN}, as its wait found out"
            yield Evidence(subject=f"{COMPUTERS} new computers", seen=seen, holds=False)
            return
        controls = control.result()
    found = [of_target(target, births, controls, number) for number, target in enumerate(blocked(scene))]
    yield from found
    yield of_wait(births, expected=scene.facts.waits_for_policies, proven=any(each.holds for each in found))
    for family in families(scene.facts) - {target.family for target in blocked(scene)}:
        yield Evidence(subject=f"new computers by {FAMILIES[family]}", seen="no denied listener is known", holds=None)


def of_target(target: Destination, births: list[Birth], controls: tuple[Window, ...], number: int) -> Evidence:
    """What new computers reached of the address with this number, beside what a pod without policies did."""
    windows, control = [each.windows[number] for each in births], controls[number]
    reached = not birth.closed(windows)
    return Evidence(
        subject=f"{len(births)} new computers → {target}",
        seen=birth.told(windows),
        control=f"a pod without policies: {birth.told([control])}",
        holds=False if reached else True if control.opened else None,
    )


def of_wait(births: list[Birth], *, expected: bool, proven: bool) -> Evidence:
    """What the wait cost; a computer without it where it must be is a hole that happened to be closed today."""
    waits = [each.waited for each in births if each.waited is not None]
    if waits:
        seen = (
            f"{len(waits)} of {len(births)} waited: median {statistics.median(waits):.1f} s, maximum {max(waits):.1f} s"
        )
    elif expected:
        seen = "none was held back until its policies were in force"
    else:
        seen = "this Kubernetes cannot hold a computer back"
    forgotten = expected and len(waits) < len(births)
    holds = False if forgotten else True if waits and proven else None
    return Evidence(subject="the wait before the first program", seen=seen, holds=holds)
