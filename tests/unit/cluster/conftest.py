"""A machine that the steps of a node were delivered to."""

import dataclasses
import hashlib
import io
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from components.k3s.delivery import node_files
from components.k3s.plan import Node, Plan
from stacks.target.gvisor import GvisorSettings
from stacks.target.k3s import K3sSettings
from tests.unit.cluster.example import plan
from tests.unit.machines import mirror as mirrors
from tests.unit.machines.fake_machine import FakeMachine
from tests.unit.machines.mirror import Mirror

VERSION = "v1.36.2+k3s1"
K3S = 'case "$*" in "crictl info") echo \'{"runtimes": {"runsc": {}}}\' ;; esac'
"""What k3s answers when all is well."""
SYSTEMCTL = """case "$*" in
  *stop*) rm -f "$RUNNING" ;;
  *start*) touch "$RUNNING" ;;
  is-active*) [ -e "$RUNNING" ] ;;
esac"""
PARTS = ("runsc", "containerd-shim-runsc-v1", "gvisor-bin/sentry")


def tarball(parts: Sequence[str] = PARTS, version: str = "release-20261116.0") -> bytes:
    """Return a release of gVisor whose programs say their version."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:bz2") as archive:
        for part in parts:
            content = f'#!/bin/sh\necho "{part} version {version}"\n'.encode()
            entry = tarfile.TarInfo(part)
            entry.size, entry.mode = len(content), 0o755
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@dataclasses.dataclass
class Bench:
    """A machine, the mirror that it downloads from, and a way to deliver another plan to it."""

    machine: FakeMachine
    mirror: Mirror
    release: bytes = dataclasses.field(default_factory=tarball)

    def offer(self, version: str = VERSION, program: str = K3S) -> K3sSettings:
        """Put a release of k3s on the mirror; the program records its calls as the other ones do."""
        content = f'#!/bin/sh\necho "k3s $*" >>"$CALLS"\n{program}\n'.encode()
        settings = K3sSettings(
            version=version, sha256=hashlib.sha256(content).hexdigest(), mirror=f"{self.mirror.url}/k3s"
        )
        self.mirror.files[f"/k3s/{version.replace('+', '%2B')}/k3s"] = content
        return settings

    def gvisor(self, release: str = "20261116.0", **changes: Any) -> GvisorSettings:
        """Put the release of gVisor on the mirror under a name."""
        self.mirror.files[f"/gvisor/{release}/x86_64/gvisor.tar.bz2"] = self.release
        known = {"sha512": hashlib.sha512(self.release).hexdigest(), "mirror": f"{self.mirror.url}/gvisor"}
        return GvisorSettings.model_validate({"release": release, **known, **changes})

    def deliver(self, node: Node, *others: Node, **changes: Any) -> Plan:
        """Deliver a node of a cluster; `others` stand beside it, before it when it does not begin the cluster."""
        known = {
            "k3s": changes.pop("k3s", None) or self.offer(),
            "gvisor": changes.pop("gvisor", None) or self.gvisor(),
            **changes,
        }
        made = plan(*others, node, **known) if others else plan(node, **known)
        self.machine.deliver(node_files(made, node))
        return made

    def install_k3s(self, stdin: str, *, fails: bool = False) -> str:
        """Run the step that starts k3s; return what it said, and its errors where it has to fail."""
        self.machine.forget_calls()
        done = self.machine.step("k3s", "digest", stdin=stdin)
        assert (done.returncode != 0) is fails, done.stderr
        return done.stderr if fails else done.stdout


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with mirrors.running() as mirror:
        machine = FakeMachine(tmp_path)
        running = tmp_path / "running"
        machine.program("systemctl", SYSTEMCTL.replace("$RUNNING", str(running)))
        yield Bench(machine=machine, mirror=mirror)
