"""Says that a node is ready, from a pod that runs under its gVisor: `python3 -m node.prove`."""

import os
import subprocess
import sys
from pathlib import Path

from . import api, stopping

FIRST_LINE = "Starting gVisor"
"""What gVisor's own kernel log begins with."""
ROUND_SECONDS = 30.0
"""Between two times that the label is set: somebody may have taken it away."""
RETRY_SECONDS = 2.0
"""After the API did not answer: a new node's way to it may have come a moment later than its pods."""
READY = Path("/tmp/ready")  # noqa: S108 - the pod's own folder, which its readiness probe looks at


def main() -> None:
    """Look at the kernel, label the node while the pod runs, and take the label away when it ends."""
    told = stopping.listen()
    log = subprocess.run(["dmesg"], capture_output=True, text=True, check=False)
    if FIRST_LINE not in log.stdout:
        sys.exit(f"this pod does not run on gVisor: its kernel log begins with {(log.stdout or log.stderr)[:80]!r}")
    node, key, value = os.environ["NODE_NAME"], os.environ["LABEL"], os.environ["LABEL_VALUE"]
    last: str | None = None
    while not told.is_set():
        wait = RETRY_SECONDS
        try:
            api.label(node, key, value)
            said = f"{node} runs pods under gVisor: {key}={value}"
            READY.touch()
            wait = ROUND_SECONDS
        except (api.ApiError, OSError) as error:
            said = f"{node} cannot be labelled: {error}"
        if said != last:
            stopping.say(said)
        last = said
        told.wait(wait)
    try:
        api.label(node, key, None)
    except (api.ApiError, OSError) as error:
        stopping.say(f"{node} keeps its label: {error}")


if __name__ == "__main__":
    main()
