"""The command `rakazo-infra verify` as people and pipelines run it."""

import os
import subprocess
import sys
from pathlib import Path

from local.checkout import PROJECT
from local.stack.environment import environment
from tests.deployments import Deployed

COMMAND = [str(Path(sys.executable).with_name("rakazo-infra")), "verify"]
SECONDS = 240
QUICK = ["--only", "out-public-web"]


def environment_of(deployed: Deployed) -> dict[str, str]:
    """Return the environment that `rakazo-infra local env` makes for the stack."""
    return {**os.environ, **environment(deployed.deployment.folder)}


def line(deployed: Deployed, *arguments: str) -> list[str]:
    """Return the command for this stack."""
    return [*COMMAND, "--stack", deployed.deployment.stack, *arguments]


def verified(deployed: Deployed, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        line(deployed, *arguments),
        env=environment_of(deployed),
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
