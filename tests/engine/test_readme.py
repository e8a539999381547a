"""Every command block of the README is run as it stands, and the machine is afterwards as it was before."""

import os
import re
import subprocess
import time
from pathlib import Path

import pytest
import requests

from local.cluster import ClusterFolder, way_in
from tests.engine.host_state import HostState, remains_of

ROOT = Path(__file__).parents[2]
NAME = "readme"
"""The blocks' own cluster, so that a person's `default` is left alone."""


def blocks() -> list[str]:
    """Return the README's shell blocks in order."""
    found = re.findall(
        r"^```bash\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found, "the README has no command block"
    return found


def run(script: str, seconds: float) -> str:
    """Run a block the way a person would paste it; every line has to succeed."""
    environment = {**os.environ, "NAME": NAME, "RAKAZO_LOCAL_NAME": NAME}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}"
    return done.stdout


@pytest.mark.timeout(900)
def test_the_blocks_work_in_order_and_leave_the_machine_as_it_was() -> None:
    """`make up`, the URL it prints, a preview without change, `make down`: Done-when 1, 3 and 6 of the first issue."""
    runnable = [block for block in blocks() if "make test" not in block]
    assert len(runnable) == len(blocks()) - 1, "exactly one block is the test command itself"
    assert runnable[0] == "make up\n"
    assert runnable[-1] == "make down\n"
    before = HostState.now()
    try:
        for block in runnable:
            started = time.monotonic()
            output = run(block, seconds=420)
            print(f"{time.monotonic() - started:.0f} s: {block.splitlines()[0]} …")
            if block is runnable[0]:
                assert "stand-in" in output
                look()
    finally:
        run("make down", seconds=120)
    assert HostState.lasting_since(before) == {}
    assert remains_of(ClusterFolder(NAME)) == []


def look() -> None:
    """Do what a person does with the printed URL, and see that the check for remains would see them."""
    folder = ClusterFolder(NAME)
    running = " ".join(remains_of(folder))
    for kind in ("process ", "/sys/fs/cgroup/", str(folder.path)):
        assert kind in running, f"the check does not see {kind} of a cluster that runs"
    health = requests.get(f"{way_in(NAME)}/health", timeout=10).json()
    assert health["sandbox"] == "kubernetes", health
