"""Who has the machine, what is removed when, and that nobody removes what belongs to another run."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from probes.docker import stage as of_stage
from probes.docker.containers import ContainerError, Containers
from probes.docker.runner import Did
from probes.docker.stage import LEASE_SECONDS, RENEW_SECONDS, Stage
from probes.prober import ProbeError
from tests.unit.probes.docker.engine import Distant, Engine


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


def stage(engine: Engine | Distant, run: str, tell: Callable[[str], None] = lambda _line: None) -> Stage:
    return Stage(Containers(engine), run, tell)


def until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def renewing() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name.endswith("(_renew)")]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lease is renewed all the time."""
    monkeypatch.setattr(of_stage, "RENEW_SECONDS", 0.05)


def test_what_a_dead_run_left_is_removed_once_the_machine_is_ours(engine: Engine) -> None:
    engine.perform("dead")
    engine.run_errand()
    with stage(engine, "mine"):
        assert engine.containers == {}, "the errand's computer too: it would be started again with its old limits"
        assert engine.networks == {}, "its network has web and the supervisor on it"


def test_nothing_of_a_run_stays_and_the_machine_is_free(engine: Engine) -> None:
    with stage(engine, "mine"):
        engine.perform("mine")
        engine.run_errand()
    assert (engine.containers, engine.networks) == ({}, {})
    assert not engine.lease.exists()
    assert renewing() == []


def test_who_waits_and_is_interrupted_leaves_the_living_run_alone(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stage(engine, "living"):
        engine.perform("living")
        engine.run_errand()
        before = (dict(engine.containers), dict(engine.networks), engine.lease.read_text())

        def interrupted(_seconds: float) -> None:
            raise KeyboardInterrupt

        told: list[str] = []
        waiting = stage(engine, "waiting", told.append)
        with monkeypatch.context() as patched:
            patched.setattr(time, "sleep", interrupted)
            with pytest.raises(KeyboardInterrupt):
                waiting.__enter__()
        waiting.leave()
        assert (engine.containers, engine.networks, engine.lease.read_text()) == before
        assert told == ["another verification is here: waiting for its end, or for a sign that it is dead"]


def test_a_sweep_after_the_end_removes_what_came_late_and_nothing_of_the_next_run(engine: Engine) -> None:
    first = stage(engine, "first")
    with first:
        pass
    with stage(engine, "next"):
        engine.perform("next")
        engine.run_errand()
        next_runs = dict(engine.containers)
        engine.perform("first")  # by a thread of it that an interruption did not reach
        first.leave()
        assert engine.containers == next_runs
        assert "next " in engine.lease.read_text()


def test_an_entry_that_fails_gives_the_machine_back(engine: Engine) -> None:
    engine.perform("dead")
    engine.refuses = "rm"
    with pytest.raises(ContainerError, match="rm is refused"), stage(engine, "mine"):
        pytest.fail("it entered")
    assert not engine.lease.exists()
    assert renewing() == []


@pytest.mark.usefixtures("quick")
def test_the_lease_is_renewed_by_its_owner(engine: Engine) -> None:
    with stage(engine, "mine"):
        engine.write_lease("mine 1\n")
        until(lambda: engine.lease.read_text() not in ("", "mine 1\n"))
        assert engine.lease.read_text().startswith("mine ")


class Slow(Engine):
    """A machine on which a renewal takes its time."""

    renewing = False

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        renews, leaves = (program in command for program in (of_stage._RENEW, of_stage._LEAVE))
        assert not (leaves and self.renewing), "the lease is given back in the middle of its renewal"
        self.renewing = self.renewing or renews
        time.sleep(0.3 if renews else 0.0)
        did = super().run(command, stdin=stdin, seconds=seconds, urgent=urgent)
        self.renewing = self.renewing and not renews
        return did


@pytest.mark.usefixtures("quick")
def test_a_renewal_has_ended_before_the_machine_is_given_back(tmp_path: Path) -> None:
    """It would take what another run has by then for the loss of its own lease."""
    engine = Slow(tmp_path)
    with stage(engine, "mine"):
        until(lambda: engine.renewing)
    assert not engine.lease.exists()


def test_a_lease_outlasts_two_renewals_that_do_not_come() -> None:
    assert LEASE_SECONDS >= 60
    assert RENEW_SECONDS * 3 <= LEASE_SECONDS


def test_a_run_that_has_not_renewed_its_lease_is_dead(engine: Engine) -> None:
    uptime = int(float(Path("/proc/uptime").read_text().split()[0]))
    engine.write_lease(f"dead {uptime - LEASE_SECONDS - 1:.0f}\n")
    with stage(engine, "mine"):
        assert engine.lease.read_text().startswith("mine ")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("written", ["other 99999999\n", None])
def test_a_run_that_lost_the_machine_does_nothing_more_and_removes_only_its_own(
    engine: Engine, written: str | None
) -> None:
    """Another run took over; perhaps it has left again already."""
    told: list[str] = []
    mine = stage(engine, "mine", told.append)
    mine.__enter__()
    engine.perform("mine")
    engine.perform("other")
    engine.run_errand()
    engine.write_lease(written)
    until(lambda: told)
    with pytest.raises(ProbeError, match="another verification took over"):
        mine.containers.names()
    with pytest.raises(ProbeError, match="another verification took over"):
        mine.__exit__(None, None, None)
    assert sorted(engine.containers) == ["computer-other", "rakazo-bot-verify"]
    assert (engine.lease.read_text() if engine.lease.exists() else None) == written


@pytest.mark.usefixtures("quick")
def test_a_renewal_that_fails_is_tried_again(engine: Engine) -> None:
    told: list[str] = []
    machine = Distant(engine)
    with stage(machine, "mine", told.append) as mine:
        machine.cut.set()
        until(lambda: told)
        machine.cut.clear()
        engine.write_lease("mine 1\n")
        until(lambda: engine.lease.read_text() not in ("", "mine 1\n"))
        assert mine.containers.names("label=any") == []
    assert set(told) == {"the verification's lease could not be renewed; trying again"}
