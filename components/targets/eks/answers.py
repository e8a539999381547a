"""What AWS says before anything is made, and what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from components.targets.eks.network_answers import NetworkAnswers, network_faults
from stacks.machine_type import is_bare_metal
from stacks.target import EksTarget
from stacks.target.eks_network import ExistingNetwork

STANDARD = "STANDARD_SUPPORT"
NESTED = "nested-virtualization"
OLD_HYPERVISOR = "xen"


@dataclass(frozen=True, kw_only=True)
class Answers:
    """Everything that was asked for, and what for."""

    caller: str
    """ARN of who runs this program: of the role, where it is a session of one."""
    zones: Sequence[str]
    """Zones that the account may use."""
    versions: Mapping[str, str]
    """Kubernetes version to the state of its support."""
    offered: Mapping[str, Sequence[str]]
    """Instance type to the zones that have it."""
    architectures: Mapping[str, Sequence[str]]
    hypervisors: Mapping[str, str]
    features: Mapping[str, Sequence[str]]
    """Instance type to what its processor can."""
    nests: bool
    """Whether computers are virtual machines."""
    network: NetworkAnswers | None
    """None when the stack makes its own."""


def faults(settings: EksTarget, answers: Answers) -> list[str]:
    """Return what is wrong, each with the key and the line to write."""
    return [
        f"settings.target.{fault}"
        for judge in (_caller, _zones, _version, _types, _nesting, _network)
        for fault in judge(settings, answers)
    ]


def _caller(settings: EksTarget, answers: Answers) -> Iterator[str]:
    if answers.caller not in settings.administrators:
        yield (
            "administrators: whoever runs this program is not among them and would be shut out of the cluster that it "
            f"makes; add {answers.caller}"
        )


def _zones(settings: EksTarget, answers: Answers) -> Iterator[str]:
    for zone in settings.zones:
        if zone not in answers.zones:
            yield f"zones: {zone} is none that this account may use; there are {', '.join(sorted(answers.zones))}"


def _version(settings: EksTarget, answers: Answers) -> Iterator[str]:
    wanted = settings.kubernetes_version
    state = answers.versions.get(wanted)
    if state == STANDARD:
        return
    good = ", ".join(sorted(each for each, found in answers.versions.items() if found == STANDARD))
    if state is None:
        yield f"kubernetes_version: EKS has no {wanted}; write one of {good}"
    else:
        yield (
            f"kubernetes_version: standard support of {wanted} is over: EKS would make no such cluster without "
            f"extended support, at six times the price; write one of {good}"
        )


def _types(settings: EksTarget, answers: Answers) -> Iterator[str]:
    needed = {"system": settings.zones[:1], "computers": settings.zones}
    types = {"system": settings.system.type, "computers": settings.computers.type}
    for pool, wanted in types.items():
        missing = [zone for zone in needed[pool] if zone not in answers.offered.get(wanted, ())]
        if missing:
            yield f"{pool}.type: {wanted} is not to be had in {', '.join(missing)}; write another type or other zones"
        elif "x86_64" not in answers.architectures[wanted]:
            yield f"{pool}.type: {wanted} is no x86-64, which the images of a stack are for; write such as m7i.2xlarge"
        elif answers.hypervisors[wanted] == OLD_HYPERVISOR:
            yield (
                f"{pool}.type: {wanted} is of a generation whose interfaces take no ranges of addresses, so its pods "
                "would run out of them; write such as m7i.2xlarge"
            )


def _nesting(settings: EksTarget, answers: Answers) -> Iterator[str]:
    wanted = settings.computers.type
    if answers.nests and not is_bare_metal("eks", wanted) and NESTED not in answers.features[wanted]:
        yield (
            f"computers.type: AWS says of {wanted} that no virtual machine runs inside it (supported CPU features "
            f"lack {NESTED}), so every computer would fail to start; write such as m8i.2xlarge, or a .metal size"
        )


def _network(settings: EksTarget, answers: Answers) -> Iterator[str]:
    if isinstance(settings.network, ExistingNetwork) and answers.network is not None:
        yield from network_faults(settings.network, answers.network)
