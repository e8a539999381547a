"""What a container is asked whether it is well, run for real by bash against listeners of this process."""

import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from components.compose.health import render_health
from components.rakazo.docker_services import DOCKER_SERVICES
from components.service import HttpProbe, Service, Size, TcpProbe


class Answers(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/health" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield int(server.server_address[1])
    server.shutdown()
    server.server_close()
    thread.join()


def service(readiness: HttpProbe | TcpProbe) -> Service:
    size = Size(cpu_millis=1, memory_mib=1, disk_mib=1)
    return Service(
        name="x",
        image="app",
        user=1000,
        variables={},
        forbidden=frozenset(),
        requests=size,
        limits=size,
        grace_seconds=1,
        readiness=readiness,
    )


def asked(rendered: dict[str, Any] | None) -> bool:
    """Run the command as a container would: Compose turns a doubled dollar sign into one."""
    assert rendered is not None
    command = [word.replace("$$", "$") for word in rendered["test"][1:]]
    return subprocess.run(command, check=False, capture_output=True, timeout=10).returncode == 0


@pytest.mark.parametrize(("path", "well"), [("/health", True), ("/nothing", False)])
def test_an_answer_below_400_is_well(port: int, path: str, well: bool) -> None:
    probe = HttpProbe(path=path, port=port, period_seconds=1, failures=3)
    assert asked(render_health(service(probe))) is well


def test_who_does_not_listen_is_not_well(port: int) -> None:
    assert asked(render_health(service(TcpProbe(port=port, period_seconds=1, failures=3))))
    assert not asked(render_health(service(TcpProbe(port=port, period_seconds=1, failures=3)), "127.0.0.2"))
    assert not asked(render_health(service(TcpProbe(port=1, period_seconds=1, failures=3))))


def test_a_start_has_the_time_that_it_has_in_a_cluster() -> None:
    periods = {
        each.name: rendered["start_period"] for each in DOCKER_SERVICES if (rendered := render_health(each)) is not None
    }
    assert periods == {"postgres": "600s", "supervisor": "180s", "api": "180s", "web": "120s"}


def test_web_is_asked_for_its_page_since_its_health_is_one_whatever_happens() -> None:
    """B121."""
    (web,) = [each for each in DOCKER_SERVICES if each.name == "web"]
    rendered = render_health(web)
    assert rendered is not None
    assert "GET / HTTP" in rendered["test"][-1]
