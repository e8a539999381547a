"""A release of k3s that lies ready before anything is asked to make room for it."""

import subprocess

import pytest

from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import ALONE

FETCHED = "/var/lib/rakazo-infra/downloads/k3s"
STDIN = f"{'5' * 64}\n{'6' * 64}\n"
NEXT = "v1.37.0+k3s1"


@pytest.fixture(autouse=True)
def delivered(bench: Bench) -> None:
    bench.deliver(ALONE)


def fetch(bench: Bench) -> subprocess.CompletedProcess[str]:
    return bench.machine.step("fetch", "digest")


def install(bench: Bench) -> None:
    done = bench.machine.step("k3s", "digest", stdin=STDIN)
    assert done.returncode == 0, done.stderr


def test_what_was_fetched_is_what_is_installed(bench: Bench) -> None:
    assert fetch(bench).stdout == "k3s v1.36.2+k3s1 lies ready on rakazo-1\n"
    assert not bench.machine.path("/usr/local/bin/k3s").exists()
    install(bench)
    assert len(bench.mirror.requests) == 1
    assert not bench.machine.path(FETCHED).exists()


def test_what_is_installed_is_not_fetched_again(bench: Bench) -> None:
    install(bench)
    assert fetch(bench).stdout == "k3s v1.36.2+k3s1 is on rakazo-1\n"
    assert len(bench.mirror.requests) == 1


def test_a_release_that_cannot_be_had_is_told_while_the_old_one_runs(bench: Bench) -> None:
    """Else a node whose pods have gone would wait for a file."""
    install(bench)
    bench.deliver(ALONE, k3s=bench.offer(NEXT))
    bench.mirror.files.clear()
    bench.machine.forget_calls()
    done = fetch(bench)
    assert done.returncode == 1
    assert "the mirror answers 404" in done.stderr
    assert bench.machine.calls("systemctl") == []


def test_a_step_over_a_minor_release_is_refused_before_anything_is_fetched(bench: Bench) -> None:
    install(bench)
    bench.deliver(ALONE, k3s=bench.offer("v1.38.0+k3s1"))
    done = fetch(bench)
    assert done.returncode == 1
    assert "skips a minor release" in done.stderr
    assert len(bench.mirror.requests) == 1
