"""The real desktop under gVisor: Chromium, X server and VNC, which the light computer only doubles.

Admission takes one image per stack, so this pod is in the namespace without policies: it proves no fence.
"""

import time
from collections.abc import Callable, Iterator

import pytest

from probes import kernel
from probes.pods import Pods, spec
from tests.deployments import Deployed, image_references
from tests.engine.test_desktop import HANDSHAKE, WINDOW

SECONDS = 120.0
"""For the browser's window; 5 to 15 s on two idle cores."""
PAGE = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=10).read().decode())"


@pytest.fixture(scope="module")
def desktop(deployed: Deployed, outsiders: Pods) -> Iterator[str]:
    """A running desktop; returns its pod's name."""
    name, image = "desktop", image_references("computer")["computer"]
    outsiders.start(spec(name, image, runtimeClassName=f"{deployed.application}-gvisor"))
    yield name
    outsiders.delete(name)


def eventually(pods: Pods, name: str, look: Callable[[], bool]) -> None:
    """Look until it is true; AssertionError with the pod's log."""
    deadline = time.monotonic() + SECONDS
    while not look():
        assert time.monotonic() < deadline, pods.explain(name) + pods.log(name)
        time.sleep(0.5)


def test_a_browser_window_is_on_the_screen_of_a_gvisor_desktop(outsiders: Pods, desktop: str) -> None:
    """B045: the desktop that people get runs on the kernel that they are promised."""
    eventually(outsiders, desktop, lambda: outsiders.execute(desktop, list(WINDOW)).exit_code == 0)
    window = outsiders.execute(desktop, ["sh", "-c", f"xdotool getwindowname $({' '.join(WINDOW)} | head -n 1)"])
    assert "Chromium" in window.output, window.output
    assert kernel.fault("gvisor", outsiders.execute(desktop, ["dmesg"]).output) is None


def test_the_desktops_screen_is_shown_to_another_pod(outsiders: Pods, desktop: str, control: str) -> None:
    """The page of noVNC on 6080, and behind its WebSocket a real VNC server."""
    address = outsiders.address(desktop)

    def page() -> str:
        return outsiders.execute(control, ["python3", "-c", PAGE, f"http://{address}:6080/vnc.html"]).output

    def greeting() -> str:
        return outsiders.execute(control, ["python3", "-c", HANDSHAKE, address, "6080", ""]).output.strip()

    eventually(outsiders, desktop, lambda: "noVNC" in page())
    eventually(outsiders, desktop, lambda: greeting() == "screen")
