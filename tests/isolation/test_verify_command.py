"""`rakazo-infra verify` as people and pipelines run it, and as they interrupt it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from local.checkout import PROJECT
from local.stack.environment import environment
from tests.deployments import Deployed
from tests.isolation.leftovers import leftovers

COMMAND = [str(Path(sys.executable).with_name("rakazo-infra"))]
SECONDS = 240
POINTS = {
    "before its pods run": "starting pods",
    "while it tries connections": "trying",
    "while it removes its pods": "removing the pods",
}
"""Where a verification is interrupted: after the line that begins so."""
QUICK = ["--only", "out-public-web"]


def environment_of(deployed: Deployed) -> dict[str, str]:
    return {**os.environ, **environment(deployed.deployment.folder)}


def verified(deployed: Deployed, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    stack = ["--stack", deployed.deployment.stack]
    return subprocess.run(
        [*COMMAND, "verify", *stack, *arguments],
        cwd=PROJECT,
        env=environment_of(deployed),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def interrupted(deployed: Deployed, line: str, number: signal.Signals) -> tuple[int, str]:
    """Start the command, wait for a line, send a signal, and return the exit code and what was said."""
    stack = ["--stack", deployed.deployment.stack]
    with subprocess.Popen(
        [*COMMAND, "verify", *stack, *QUICK],
        cwd=PROJECT,
        env=environment_of(deployed),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        heard = []
        for text in running.stderr:
            heard.append(text)
            if text.startswith(line):
                running.send_signal(number)
                break
        heard.append(running.stderr.read())
        return running.wait(SECONDS), "".join(heard)


def test_every_claim_is_listed_with_evidence_and_the_state_is_searched(deployed: Deployed) -> None:
    done = verified(deployed, "--json")
    assert done.returncode == 0, done.stderr
    claims = {claim["id"]: claim for claim in json.loads(done.stdout)["claims"]}
    assert claims["secrets-state"]["state"] == "proven", claims["secrets-state"]
    assert {claim["state"] for claim in claims.values()} == {"proven", "unprovable"}
    assert [key for key, claim in claims.items() if claim["state"] == "proven" and not claim["evidence"]] == []


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
    stack = ["--stack", deployed.deployment.stack]
    command = [*COMMAND, "verify", *stack, *QUICK]
    started = [
        subprocess.Popen(
            command,
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
