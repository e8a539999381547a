"""Telling systemd how far the service is (Type=notify)."""

import contextlib
import os
import socket


def tell(state: str) -> None:
    """Send a line such as READY=1 to the service manager; without one nothing happens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as link:
        link.connect(address)
        link.sendall(state.encode())
