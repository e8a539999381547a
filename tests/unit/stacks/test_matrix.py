"""Which target goes with which runtime, cell by cell, and what is said of the rest."""

from typing import Any

import pytest

from stacks.load import read_settings
from stacks.matrix import MATRIX, Cell, Refusal, Way, caveat, choose_way, refused_pair
from stacks.pair import Pair, refused
from stacks.settings import StackSettings
from stacks.target.gvisor import GvisorSettings
from tests.unit.example import document

CELLS: dict[tuple[str, str], Way | None] = {
    ("existing", "gvisor"): Way.PRESENT,
    ("existing", "kata"): Way.PRESENT,
    ("existing", "runc"): Way.ORDINARY,
    ("server", "gvisor"): Way.MACHINES,
    ("server", "kata"): Way.CHART,
    ("server", "runc"): Way.ORDINARY,
    ("hetzner", "gvisor"): Way.MACHINES,
    ("hetzner", "kata"): None,
    ("hetzner", "runc"): Way.ORDINARY,
    ("digitalocean", "gvisor"): Way.INSTALLER,
    ("digitalocean", "kata"): None,
    ("digitalocean", "runc"): Way.ORDINARY,
    ("eks", "gvisor"): Way.MACHINES,
    ("eks", "kata"): Way.CHART,
    ("eks", "runc"): Way.ORDINARY,
    ("gke", "gvisor"): Way.MANAGED,
    ("gke", "kata"): Way.CHART,
    ("gke", "runc"): Way.ORDINARY,
}
"""None: refused."""
RELEASE = {"release": "20261116.0", "sha512": "0" * 128}
PLAIN = GvisorSettings.model_validate(RELEASE)
KVM = GvisorSettings.model_validate({**RELEASE, "platform": "kvm"})


def test_every_cell_is_looked_at() -> None:
    assert set(CELLS) == {(target, runtime) for target, cells in MATRIX.items() for runtime in cells}


@pytest.mark.parametrize(("target", "runtime"), CELLS)
def test_a_cell_is_a_way_or_a_refusal_with_what_to_write_instead(target: str, runtime: str) -> None:
    """B053."""
    expected, found = CELLS[target, runtime], MATRIX[target][runtime]
    if expected is None:
        assert isinstance(found, Refusal)
        assert refused_pair(runtime, target) == found.reason
        assert "Write runtime: {kind: gvisor}" in found.reason
        assert "write target.kind: server" in found.reason
        with pytest.raises(ValueError, match="do not go together"):
            choose_way(runtime, target)
    else:
        assert isinstance(found, Cell)
        assert refused_pair(runtime, target) is None
        assert choose_way(runtime, target) is expected
        assert bool(caveat(runtime, target)) is ((target, runtime) == ("digitalocean", "gvisor"))


def test_an_existing_cluster_gets_gvisor_when_a_release_is_named() -> None:
    assert choose_way("gvisor", "existing", installs=True) is Way.INSTALLER
    assert choose_way("gvisor", "hetzner", installs=True) is Way.MACHINES
    assert choose_way("runc", "existing", installs=True) is Way.ORDINARY


@pytest.mark.parametrize(
    ("runtime", "target"), [("wasm", "existing"), ("gvisor", "azure"), (None, "eks"), (1, ["eks"])]
)
def test_what_is_no_kind_at_all_is_left_to_the_settings(runtime: object, target: object) -> None:
    assert refused_pair(runtime, target) is None


def pair(target: str, runtime: str, **more: Any) -> Pair:
    return Pair(**{"target": target, "runtime": runtime, "kubernetes_version": (1, 36), **more})


IMPOSSIBLE = {
    "hetzner kata": (pair("hetzner", "kata"), "no server of Hetzner Cloud has it"),
    "digitalocean kata": (pair("digitalocean", "kata"), "which DigitalOcean promises for no Droplet"),
    "old k3s kata": (pair("server", "kata", kubernetes_version=(1, 33)), "write a release from v1.34.6+k3s1 on"),
    "eks kata amd": (pair("eks", "kata", machine="m6a.2xlarge"), "with Intel's processors only"),
    "eks kata burstable": (pair("eks", "kata", machine="t3.xlarge"), "Write a type such as m7i.2xlarge"),
    "eks kata older": (pair("eks", "kata", machine="m6i.2xlarge"), "m6i.2xlarge has none"),
    "eks arm": (pair("eks", "gvisor", machine="m7g.xlarge", release=PLAIN), "write a type such as m7i.2xlarge"),
    "eks arm runc": (pair("eks", "runc", machine="c8gd.xlarge"), "has an Arm processor"),
    "gke kata e2": (pair("gke", "kata", machine="e2-standard-8"), "does not offer it in the family e2"),
    "gke kata amd": (pair("gke", "kata", machine="n2d-standard-8"), "Write a type such as n2-standard-8"),
    "gke arm": (pair("gke", "gvisor", machine="c4a-standard-4"), "write a type such as n2-standard-8"),
    "eks kata from nothing": (pair("eks", "kata", machine="m7i.2xlarge", fewest=0), "write minimum: 1"),
    "eks kata handler": (pair("eks", "kata", handler="kata-clh", shim="dragonball"), "known as kata-dragonball"),
    "digitalocean kvm": (pair("digitalocean", "gvisor", release=KVM), "write platform: systrap"),
    "hetzner kvm": (pair("hetzner", "gvisor", release=KVM), "a machine of hetzner is not"),
    "eks kvm": (pair("eks", "gvisor", release=KVM, machine="m7i.xlarge"), "or a .metal type"),
    "eks without a release": (pair("eks", "gvisor", machine="m7i.xlarge"), "target.gvisor is missing"),
    "server handler": (pair("server", "gvisor", handler="gvisor", release=KVM), "Leave handler out"),
    "digitalocean handler": (pair("digitalocean", "gvisor", handler="gvisor"), "is known to no node"),
    "installed handler": (pair("existing", "gvisor", handler="gvisor", release=KVM), "under the name runsc"),
    "gke class": (pair("gke", "gvisor", written=frozenset({"kind", "node_selector"})), "Leave out node_selector"),
    "gke handler": (
        pair("gke", "gvisor", handler="runsc", written=frozenset({"handler"})),
        "GKE Sandbox brings its own",
    ),
}
POSSIBLE = [
    pair("existing", "gvisor", handler="gvisor"),
    pair("existing", "gvisor", release=KVM),
    pair("server", "kata", kubernetes_version=(1, 34)),
    pair("server", "gvisor", release=KVM),
    *(pair("eks", "kata", machine=machine) for machine in ("m7i.2xlarge", "c7i-flex.large", "m8id.large", "m5.metal")),
    pair("eks", "gvisor", machine="m6a.2xlarge", release=PLAIN),
    pair("eks", "gvisor", machine="m7i.metal-24xl", release=KVM),
    *(pair("gke", "kata", machine=machine) for machine in ("n2-standard-8", "c3-standard-8", "n1-standard-4")),
    pair("gke", "kata", machine="n2-standard-8", fewest=1),
    pair("gke", "gvisor", machine="e2-standard-4", fewest=0, handler="runsc", written=frozenset({"kind"})),
]


def test_at_least_twelve_combinations_are_impossible() -> None:
    assert len(IMPOSSIBLE) >= 12


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_combination_is_refused_with_a_sentence_that_helps(name: str) -> None:
    """B049, B052, B053: the first of them create a cluster on which no computer ever starts."""
    combination, told = IMPOSSIBLE[name]
    (reason,) = refused(combination)
    assert told in reason
    assert any(word in reason for word in ("write ", "Write ", "Leave "))


@pytest.mark.parametrize("combination", POSSIBLE, ids=str)
def test_what_goes_together_is_not_refused(combination: Pair) -> None:
    assert list(refused(combination)) == []


@pytest.mark.parametrize("target", ["hetzner", "digitalocean"])
def test_settings_tell_it_before_anything_else_about_the_runtime(target: str) -> None:
    """B053: one fault, whatever else the section says."""
    faults = read_settings({**document(), "target": {"kind": target}, "runtime": {"kind": "kata", "shim": "clh"}})
    assert isinstance(faults, list)
    assert "runtime.kind: kata needs virtualization inside the machine" in faults[0]


def test_settings_know_how_their_runtime_gets_onto_the_nodes() -> None:
    plain = read_settings(document())
    installed = read_settings(document(target__gvisor=RELEASE))
    assert isinstance(plain, StackSettings)
    assert isinstance(installed, StackSettings)
    assert (plain.pair.way, installed.pair.way) == (Way.PRESENT, Way.INSTALLER)


def test_settings_refuse_what_does_not_go_together_with_the_key_to_change() -> None:
    faults = read_settings(document(target__gvisor=RELEASE, runtime__handler="gvisor"))
    assert isinstance(faults, list)
    (fault,) = faults
    assert fault.startswith("rakazo:settings runtime.handler: gvisor is known to no node") or "runtime.handler" in fault
