"""One node, in a folder: what is done to it, in which order, and when nothing is."""

from pathlib import Path

import pytest

from components.runtimes.installer.node import node as node_module
from components.runtimes.installer.node.node import Node
from components.runtimes.installer.node.node_error import NodeError
from components.runtimes.installer.node.order import read
from tests.unit.installer.tarball import pack
from tests.unit.installer.test_configuration import IMPORTING, SECOND

HOME, CONTAINERD = "/opt/rakazo-infra", "/etc/containerd"


class Place:
    """A node's folders, and a containerd of which only the restarts are counted."""

    def __init__(self, folder: Path, configuration: str | None) -> None:
        self.folder = folder
        self.archive = folder / "gvisor.tar.bz2"
        self.sha512 = pack(self.archive)
        self.root = folder / "root"
        for path in (HOME, CONTAINERD):
            (self.root / path.strip("/")).mkdir(parents=True)
        self.configuration = self.root / "etc/containerd/config.toml"
        if configuration is not None:
            self.configuration.write_text(configuration)
            self.configuration.chmod(0o640)
        self.started_with: list[str] = []
        self.fails = False

    def restart(self) -> None:
        if self.fails:
            raise NodeError("containerd.service does not run")
        texts = sorted((self.root / "etc/containerd").rglob("*.toml"))
        self.started_with.append("".join(path.read_text() for path in texts))

    def node(self, release: str = "20261116.0", platform: str = "systrap") -> Node:
        order = read(
            {
                "GVISOR_URL": self.archive.as_uri(),
                "GVISOR_SHA512": self.sha512,
                "GVISOR_RELEASE": release,
                "GVISOR_PLATFORM": platform,
                "GVISOR_HANDLER": "runsc",
                "NODE_HOME": HOME,
                "NODE_CONTAINERD": CONTAINERD,
            }
        )
        return Node(root=self.root, order=order, restart=self.restart)


@pytest.fixture(params=[SECOND, IMPORTING, None], ids=["root", "drop-in", "missing"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(tmp_path, request.param)


def test_containerd_is_started_once_and_with_gvisor_in_its_configuration(place: Place) -> None:
    assert place.node().converge()[-1] == "containerd was started anew"
    (configuration,) = place.started_with
    assert "/opt/rakazo-infra/20261116.0/containerd-shim-runsc-v1" in configuration
    settings = (place.root / "opt/rakazo-infra/runsc.toml").read_text()
    assert 'binary_name = "/opt/rakazo-infra/20261116.0/runsc"' in settings


def test_nothing_is_done_when_nothing_has_changed(place: Place) -> None:
    place.node().converge()
    place.archive.unlink()
    assert [place.node().converge(), place.node().converge()] == [[], []]
    assert len(place.started_with) == 1


def test_a_run_that_ended_before_the_restart_is_finished_by_the_next(place: Place) -> None:
    place.fails = True
    with pytest.raises(NodeError):
        place.node().converge()
    place.fails = False
    assert place.node().converge() == ["containerd was started anew"]
    assert "runsc" in place.started_with[0]
    assert place.node().converge() == []


def test_a_newer_release_is_brought_beside_the_one_that_computers_still_run_on(place: Place) -> None:
    """B063: a computer is served to its end by the release that it began with."""
    place.node().converge()
    place.node("20261123.0").converge()
    assert "20261123.0/containerd-shim-runsc-v1" in place.started_with[1]
    assert (place.root / "opt/rakazo-infra/20261116.0/runsc").exists()
    place.node("20261123.0", "kvm").converge()
    assert len(place.started_with) == 3


def test_leaving_brings_the_node_back_to_what_it_was(place: Place) -> None:
    before = {
        path: (path.read_text(), path.stat().st_mode) for path in (place.root / "etc").rglob("*") if path.is_file()
    }
    place.node().converge()
    place.node().leave()
    after = {
        path: (path.read_text(), path.stat().st_mode) for path in (place.root / "etc").rglob("*") if path.is_file()
    }
    assert after == before
    assert "runsc" not in place.started_with[1]
    assert list((place.root / "opt/rakazo-infra").iterdir()) == []
    assert place.node().leave() == []
    assert len(place.started_with) == 2


def test_leaving_a_half_finished_node_restarts_nothing_that_was_not_changed(tmp_path: Path) -> None:
    place = Place(tmp_path, SECOND)
    (place.root / "opt/rakazo-infra/20261116.0.partial").mkdir()
    assert place.node().leave() == ["opt/rakazo-infra/20261116.0.partial is gone"]
    assert place.started_with == []


def test_a_handler_of_somebody_else_is_left_to_him(tmp_path: Path) -> None:
    foreign = f"{IMPORTING}[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runsc]\nruntime_type = 'x'\n"
    place = Place(tmp_path, foreign)
    with pytest.raises(NodeError, match=r"take target\.gvisor out of the stack file"):
        place.node().converge()
    assert place.configuration.read_text() == foreign
    assert place.started_with == []


def test_what_containerd_was_started_with_is_noted_last(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that loses power in between is not taken for a finished one."""
    notes: list[bool] = []
    note = place.root / "opt/rakazo-infra" / node_module.APPLIED
    monkeypatch.setattr(place, "restart", lambda: notes.append(note.exists()))
    place.node().converge()
    note.write_text("of something else")
    place.node().converge()
    assert notes == [False, False]
