"""The desktop computer shows a browser on its screen and ends with its X server.

Runs the image's own files in namespaces, without a cluster and without gVisor (the isolation tier has both).
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from local.images import ensure
from tests.engine.image_container import ADDRESS, Container, unpack

PAGE = ("curl", "--fail", "--silent", f"http://{ADDRESS}:6080/vnc.html")
WINDOW = ("xdotool", "search", "--onlyvisible", "--class", "chromium")
HANDSHAKE = """
import base64, os, socket, sys
address, port, query = sys.argv[1], int(sys.argv[2]), sys.argv[3]
peer = socket.create_connection((address, port), timeout=10)
key = base64.b64encode(os.urandom(16)).decode()
lines = [f"GET /websockify{query} HTTP/1.1", "Host: computer", "Upgrade: websocket", "Connection: Upgrade"]
lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: binary", "", ""]
peer.sendall("\\r\\n".join(lines).encode())
received = b""
while b"RFB 003" not in received:
    try:
        part = peer.recv(4096)
    except ConnectionResetError:
        part = b""
    if not part:
        break
    received += part
print("screen" if b"RFB 003" in received else received.split(b"\\r\\n")[0].decode() or "closed")
"""
"""Connects to a screen and prints `screen` if a VNC server greets, else the answer or `closed`."""


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[Container]:
    """A started computer with an empty home."""
    (image,) = ensure(Console(stderr=True), ["computer"]).values()
    root, home = tmp_path / "root", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    shutil.chown(home, 1000, 1000)
    configuration = unpack(image, root)
    assert configuration["User"] == "1000:1000"
    environment = dict(variable.split("=", 1) for variable in configuration["Env"])
    container = Container(root, 1000, environment, {"/home/rakazo": home}, tmp_path / "log")
    container.start(configuration["Cmd"])
    yield container
    container.end()
    shutil.rmtree(root)


def test_a_desktop_shows_a_browser_guards_its_gateway_and_ends_with_its_x_server(desktop: Container) -> None:
    desktop.until(PAGE)
    desktop.until(WINDOW)

    def handshake(port: int, query: str = "") -> str:
        return desktop.run(["python3", "-c", HANDSHAKE, ADDRESS, str(port), query]).stdout.strip()

    token = desktop.run(["cut", "-d:", "-f1", "/tmp/rakazo/screen-tokens"]).stdout.strip()
    assert handshake(6080) == "screen"
    assert handshake(6100, f"?token={token}") == "screen"
    # websockify closes the connection without an answer.
    assert handshake(6100) == "closed"
    assert handshake(6100, f"?token={token[:-1]}") == "closed"
    assert desktop.run(["cat", "/tmp/rakazo/display.pid"]).stdout.strip().isdigit()

    assert desktop.run(["bash", "-c", "kill $(cat /tmp/rakazo/display.pid)"]).returncode == 0
    assert desktop.wait() == 1
    assert "the X server has ended" in desktop.text
