"""Downloads: what a mirror may do wrong, and what the machine says then."""

import hashlib
import subprocess

import pytest

from tests.unit.machines.fake_machine import FakeMachine
from tests.unit.machines.mirror import Mirror

CONTENT = b"a program\n" * 5000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
SHA512 = hashlib.sha512(CONTENT).hexdigest()
OTHER = "0" * 64


def download(
    machine: FakeMachine, mirror: Mirror, algorithm: str = "sha256", wanted: str = SHA256
) -> subprocess.CompletedProcess[str]:
    call = f'PAUSE=0; download "{mirror.url}/k3s" {algorithm} {wanted} "$ROOT/var/k3s"'
    return machine.function(["report", "download"], call)


@pytest.fixture(autouse=True)
def serve(mirror: Mirror) -> None:
    mirror.files["/k3s"] = CONTENT


@pytest.mark.parametrize(("algorithm", "wanted"), [("sha256", SHA256), ("sha512", SHA512)])
def test_the_right_file_is_kept(machine: FakeMachine, mirror: Mirror, algorithm: str, wanted: str) -> None:
    done = download(machine, mirror, algorithm, wanted)
    assert done.returncode == 0, done.stderr
    assert machine.path("/var/k3s").read_bytes() == CONTENT


def test_a_file_that_is_there_is_not_fetched_again(machine: FakeMachine, mirror: Mirror) -> None:
    download(machine, mirror)
    download(machine, mirror)
    assert mirror.requests == ["/k3s"]


def test_a_release_that_the_mirror_does_not_have_is_told_at_once(machine: FakeMachine, mirror: Mirror) -> None:
    mirror.files.clear()
    done = download(machine, mirror)
    assert done.returncode == 1
    assert f"the mirror answers 404 for {mirror.url}/k3s" in done.stderr
    assert "look at the version and the mirror" in done.stderr
    assert mirror.requests == ["/k3s"]


def test_another_file_is_never_used_and_both_sums_are_told(machine: FakeMachine, mirror: Mirror) -> None:
    done = download(machine, mirror, wanted=OTHER)
    assert done.returncode == 1
    assert f"its sha256 sum is {SHA256}, and the stack asks for {OTHER}" in done.stderr
    assert list(machine.path("/var").glob("k3s*")) == []


def test_a_file_that_was_cut_short_is_fetched_again(machine: FakeMachine, mirror: Mirror) -> None:
    mirror.cut["/k3s"] = 2
    done = download(machine, mirror)
    assert done.returncode == 0, done.stderr
    assert machine.path("/var/k3s").read_bytes() == CONTENT
    assert len(mirror.requests) == 3


def test_a_mirror_that_is_away_for_a_moment_is_asked_again(machine: FakeMachine, mirror: Mirror) -> None:
    mirror.statuses["/k3s"] = [503, 503]
    assert download(machine, mirror).returncode == 0


def test_a_mirror_that_stays_away_is_told_with_what_it_said(machine: FakeMachine, mirror: Mirror) -> None:
    mirror.statuses["/k3s"] = [503] * 9
    done = download(machine, mirror)
    assert done.returncode == 1
    assert f"{mirror.url}/k3s cannot be had after 4 attempts: curl ended with status 22 (HTTP 503)" in done.stderr


def test_a_mirror_that_nobody_is_behind_is_told(machine: FakeMachine, mirror: Mirror) -> None:
    call = f'PAUSE=0; download http://127.0.0.1:1/k3s sha256 {SHA256} "$ROOT/var/k3s"'
    done = machine.function(["report", "download"], call)
    assert "curl ended with status 7" in done.stderr
