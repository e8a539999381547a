"""What a cloud's machine types can and cannot do, as far as their names say it."""

import re

_EC2 = re.compile(r"(?P<letters>[a-z]+)(?P<generation>[0-9]+)(?P<more>[a-z]*)(?P<flex>-flex)?\.(?P<size>[-a-z0-9]+)")
_GRAVITON, _EC2_AMD = "g", "a"
EC2_NESTED = frozenset({"c7i", "m7i", "r7i", "i7i", "c8i", "m8i", "r8i", "x8i", "c8id", "m8id", "r8id"})
"""Families whose virtual machines have virtualization inside them when it is switched on (AWS, September 2026)."""

GCE_ARM = frozenset({"t2a", "c4a", "n4a"})
GCE_AMD = frozenset({"n2d", "c2d", "c3d", "c4d", "n4d", "t2d"})
GCE_WITHOUT = frozenset({"e2", "f1", "g1", "m1", "m2", "m3", "m4"})
"""Families of Intel processors in which Google offers no nested virtualization."""


def is_arm(target: str, machine: str) -> bool:
    """Whether a type has an Arm processor: the images and programs of a stack are for x86-64."""
    if target == "eks":
        found = _EC2.fullmatch(machine)
        return found is not None and (_GRAVITON in found["more"] or found["letters"] == "a")
    return target == "gke" and _gce_family(machine) in GCE_ARM


def is_bare_metal(target: str, machine: str) -> bool:
    """Whether it is a whole machine with a /dev/kvm of its own."""
    return target in {"eks", "gke"} and bool(re.search(r"[.-]metal", machine))


def without_virtualization(target: str, machine: str) -> str | None:
    """Say why a type has no virtualization inside it, as the end of a sentence; None when it has."""
    if is_bare_metal(target, machine):
        return None
    if target == "eks":
        found = _EC2.fullmatch(machine)
        family = f"{found['letters']}{found['generation']}{found['more']}" if found else machine
        if family in EC2_NESTED:
            return None
        amd = found is not None and _EC2_AMD in found["more"]
        return f"{machine} has none" + (", since AWS offers it with Intel's processors only" if amd else "")
    if target == "gke":
        family = _gce_family(machine)
        if family in GCE_AMD | GCE_ARM:
            return f"{machine} has none, since Google offers it with Intel's processors only"
        if family in GCE_WITHOUT:
            return f"{machine} has none, since Google does not offer it in the family {family}"
    return None


def _gce_family(machine: str) -> str:
    return machine.partition("-")[0]
