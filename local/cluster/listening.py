"""The sockets on the host's loopback at which a cluster is reached."""

import socket

from local.failure import LocalError

LOOPBACK = "127.0.0.1"
BACKLOG = 128


def listen(port: int) -> socket.socket:
    """Listen on the port, or on a free one when it is 0 or another program has taken it meanwhile."""
    for wanted in (port, 0):
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            link.bind((LOOPBACK, wanted))
        except OSError:
            link.close()
            continue
        link.listen(BACKLOG)
        return link
    raise LocalError(f"no free port on {LOOPBACK}: end programs that listen there")
