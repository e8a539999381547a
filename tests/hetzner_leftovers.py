"""The command `leftovers`, asked as people ask it, of the stand-in of Hetzner's API."""

import subprocess
import sys
from pathlib import Path

from local.checkout import PROJECT
from operations.hetzner_project import ENDPOINT
from tests.estate_cloud import EstateCloud
from tests.providers.hcloud.http_api import hetzner_api


def leftovers(cloud: EstateCloud) -> subprocess.CompletedProcess[str]:
    """Ask with the token that the stack has."""
    with hetzner_api(cloud.project, cloud.secrets["rakazo:hcloud_token"]) as endpoint:
        return subprocess.run(
            [
                str(Path(sys.executable).with_name("rakazo-infra")),
                "leftovers",
                "--stack",
                cloud.stack.folder.stack,
                "--json",
            ],
            env={**cloud.stack.pulumi.environment, ENDPOINT: endpoint},
            cwd=PROJECT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
