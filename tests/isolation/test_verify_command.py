"""`rakazo-infra verify` as people and pipelines run it, and as they interrupt it."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from local.checkout import PROJECT
from tests.deployments import Deployed
from tests.isolation.command import QUICK, SECONDS, environment_of, line, verified
from tests.isolation.leftovers import leftovers

POINTS = {
    "before its pods run": "starting pods",
    "while it tries connections": "trying",
    "while it removes its pods": "removing the pods",
}
"""Where a verification is interrupted: after the line that begins so."""


def _heed_interrupts() -> None:
    """Undo what a shell does to programs that it starts in the background: they would ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(deployed: Deployed, begin: str, number: signal.Signals) -> tuple[int, str]:
    """Start the command, wait for a line that begins so, send a signal; return the exit code and what was said."""
    with subprocess.Popen(
        line(deployed, *QUICK),
        cwd=PROJECT,
        env=environment_of(deployed),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_interrupts,  # noqa: PLW1509 - no other thread of this process holds a lock meanwhile
    ) as running:
        assert running.stderr is not None
        heard = []
        for text in running.stderr:
            heard.append(text)
            if text.startswith(begin):
                running.send_signal(number)
                break
        heard.append(running.stderr.read())
        return running.wait(SECONDS), "".join(heard)


def test_a_report_for_people_is_written(deployed: Deployed, tmp_path: Path) -> None:
    report = tmp_path / "isolation.html"
    done = verified(deployed, *QUICK, "--report", str(report))
    assert done.returncode == 0, done.stderr
    assert "out-public-web" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("point", POINTS)
def test_ctrl_c_leaves_nothing(deployed: Deployed, point: str) -> None:
    code, heard = interrupted(deployed, POINTS[point], signal.SIGINT)
    assert code != 0, heard
    assert leftovers(deployed) == [], heard


@pytest.mark.parametrize("point", POINTS)
def test_what_a_killed_run_left_is_gone_after_the_next(deployed: Deployed, point: str) -> None:
    code, heard = interrupted(deployed, POINTS[point], signal.SIGKILL)
    assert code == -signal.SIGKILL, heard
    done = verified(deployed, *QUICK)
    assert done.returncode == 0, done.stderr
    assert leftovers(deployed) == []


def test_two_at_once_take_turns(deployed: Deployed) -> None:
    """A pipeline and a person verify the same stack: neither removes the other's pods."""
    started = [
        subprocess.Popen(
            line(deployed, *QUICK),
            cwd=PROJECT,
            env=environment_of(deployed),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(2)
    ]
    ended = [process.communicate(timeout=SECONDS)[0] for process in started]
    assert [process.returncode for process in started] == [0, 0], ended
    assert leftovers(deployed) == []


def test_an_unknown_claim_is_refused_before_anything_is_made(deployed: Deployed) -> None:
    start = time.monotonic()
    done = verified(deployed, "--only", "nonsense")
    assert done.returncode == 2
    assert "no claim or group is called nonsense" in done.stderr
    assert leftovers(deployed) == []
    assert time.monotonic() - start < SECONDS
