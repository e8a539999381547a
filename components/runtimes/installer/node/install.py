"""Keeps gVisor on a node as long as its pod runs: `python3 -m node.install`."""

import os
import sys
import time
from functools import partial
from pathlib import Path

from . import api, order, stopping, systemd
from .node import Node
from .node_error import NodeError

ROUND_SECONDS = 10.0
"""Between two looks at the node: an upgrade of containerd may have written its configuration anew."""
ANSWER_SECONDS = 60.0
"""How long the cluster is asked at the end whether gVisor is to go; a third of what the pod has for its end."""
RETRY_SECONDS = 1.0
READY = Path("/tmp/ready")  # noqa: S108 - the pod's own folder, which its readiness probe looks at


def main() -> None:
    """Install, look again and again, and on the way out leave or stay, as the cluster says."""
    told = stopping.listen()
    root = Path(os.environ["NODE_ROOT"])
    node = Node(root=root, order=order.read(os.environ), restart=partial(systemd.restart, str(root / systemd.SOCKET)))
    last = ""
    while not told.is_set():
        try:
            done = node.converge()
        except (NodeError, OSError) as error:
            READY.unlink(missing_ok=True)
            if str(error) != last:
                stopping.say(f"not ready: {error}")
            last = str(error)
        else:
            if done or not READY.exists():
                stopping.say("; ".join([*done, "ready"]))
            READY.touch()
            last = ""
        told.wait(ROUND_SECONDS)
    _end(node)


def _end(node: Node) -> None:
    """Take gVisor away when the cluster says that it is to go; a pod that is only replaced leaves it."""
    try:
        leaving = _is_leaving()
    except (api.ApiError, OSError) as error:
        stopping.say(f"gVisor stays: whether it is to go is not known: {error}")
        return
    if not leaving:
        stopping.say("gVisor stays: only this pod goes")
        return
    try:
        stopping.say("; ".join(["gVisor goes", *node.leave()]))
    except (NodeError, OSError) as error:
        sys.exit(f"gVisor could not be taken away: {error}")


def _is_leaving() -> bool:
    """Whether gVisor is to go, asked until the API answers; ApiError or OSError: it has not in ANSWER_SECONDS."""
    deadline = time.monotonic() + ANSWER_SECONDS
    while True:
        try:
            return api.is_leaving(os.environ["NAMESPACE"], os.environ["DAEMON_SET"])
        except (api.ApiError, OSError):
            if time.monotonic() > deadline:
                raise
        time.sleep(RETRY_SECONDS)


if __name__ == "__main__":
    main()
