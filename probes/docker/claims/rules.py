"""The rules that hold computers back: whether they are there, come back, and are waited for."""

from collections.abc import Iterator, Mapping

from probes.claim import Claim, Evidence, Group
from probes.docker.environment import environment
from probes.docker.scene import DockerScene
from probes.vantage import Vantage

SCRIPT = "/usr/local/sbin/rakazo-egress"
UNIT_NAME = "rakazo-egress.service"
TIMER_NAME = "rakazo-egress-keep.timer"
DOCKER_UNIT = "docker.service"
DEMAND = "SANDBOX_COMPUTER_EGRESS"
RESTRICTED = "restricted"
WIRING = {
    "LoadState": "loaded",
    "UnitFileState": "enabled",
    "ActiveState": "active",
    "Before": DOCKER_UNIT,
    "PartOf": DOCKER_UNIT,
    "WantedBy": DOCKER_UNIT,
}
"""Properties of the unit, and what each must be or hold."""
RUNNING = {"LoadState": "loaded", "UnitFileState": "enabled", "ActiveState": "active"}
"""The same of the timer."""
REMEDY = "`systemctl restart rakazo-egress` on the machine brings them back; `pulumi up --refresh` writes them anew."


def claims() -> Iterator[Claim]:
    """Claims about the rules as such; what they do is probed by the claims about ways out."""
    yield Claim(
        id="out-rules",
        group=Group.OUT,
        sentence="Every rule that holds computers back is in force, for IPv4 and IPv6, in front of all that would let "
        "packets through.",
        reason="A range without a listener shows nothing from inside, and a rule for it may be missing all the same.",
        method=f"`{SCRIPT} check` on the machine compares the kernel's rules with what the stack says.",
        control="None: that the kernel obeys them, the claims about single ranges tell.",
        remedy=REMEDY,
        look=_rules,
    )
    yield Claim(
        id="out-rules-kept",
        group=Group.OUT,
        sentence="The rules come back before Docker starts anything, at each start of the machine and of Docker.",
        reason="A computer that starts before its rules has all doors open until they come.",
        method=f"systemd is asked for the unit {UNIT_NAME}: enabled, active, wanted by Docker and ordered before it.",
        control="None: that they do come back, a test of this project shows by restarting both.",
        remedy=f"`systemctl enable --now {UNIT_NAME}` on the machine, or `pulumi up --refresh`.",
        look=_kept,
    )
    yield Claim(
        id="out-rules-watched",
        group=Group.OUT,
        sentence="Rules that somebody takes away are back within a minute.",
        reason="A firewall that starts anew from a list of its own takes rules away that it does not know, and "
        "computers that run are open from then on.",
        method=f"systemd is asked for the timer {TIMER_NAME}: enabled and active.",
        control="None: that it brings them back, a test of this project shows by taking them away.",
        remedy=f"`systemctl enable --now {TIMER_NAME}` on the machine, or `pulumi up --refresh`.",
        look=_watched,
    )
    yield Claim(
        id="out-rules-demanded",
        group=Group.OUT,
        sentence="Rakazo's supervisor starts no computer while the rules are missing.",
        reason="Without being told so it takes a look, says that the rules are missing, and starts the computer.",
        method=f"The supervisor's variable {DEMAND} is read from its container.",
        control="None: it is one word.",
        remedy=f"It must be {RESTRICTED}: `pulumi up --refresh` writes the project anew.",
        look=_demanded,
    )


def _rules(scene: DockerScene) -> Iterator[Evidence]:
    ran = scene.execute(Vantage.MACHINE, [SCRIPT, "check"])
    said = " ".join(ran.output.split()).removeprefix("rakazo-egress: ")
    yield Evidence(
        subject="rules of the machine",
        seen=said[:700] or ("all are in force" if ran.exit_code == 0 else f"exit code {ran.exit_code}"),
        holds=ran.exit_code == 0,
    )


def _kept(scene: DockerScene) -> Iterator[Evidence]:
    yield _wired(scene, UNIT_NAME, WIRING, f"enabled, active, before {DOCKER_UNIT} and restarted with it")


def _watched(scene: DockerScene) -> Iterator[Evidence]:
    yield _wired(scene, TIMER_NAME, RUNNING, "enabled and active")


def _wired(scene: DockerScene, unit: str, wanted: Mapping[str, str], well: str) -> Evidence:
    asked = [word for key in wanted for word in ("--property", key)]
    ran = scene.execute(Vantage.MACHINE, ["systemctl", "show", unit, *asked])
    found = dict(line.split("=", 1) for line in ran.output.splitlines() if "=" in line)
    return wiring(unit, found, wanted, well)


def wiring(unit: str, found: Mapping[str, str], wanted: Mapping[str, str], well: str) -> Evidence:
    """Return whether the unit is wired as it must be; `well` is what is said of one that is."""
    wrong = [
        f"{key} is {found.get(key) or 'empty'}"
        for key, word in wanted.items()
        if word not in found.get(key, "").split()
    ]
    return Evidence(
        subject=unit,
        seen="; ".join(wrong) or well,
        control=f"must be: {', '.join(f'{key} {word}' for key, word in wanted.items())}" if wrong else "",
        holds=not wrong,
    )


def _demanded(scene: DockerScene) -> Iterator[Evidence]:
    found = environment(scene, Vantage.SUPERVISOR, [DEMAND]).get(DEMAND)
    yield Evidence(subject=f"{DEMAND} of the supervisor", seen=found or "not set", holds=found == RESTRICTED)
