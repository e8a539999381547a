"""What the supervisor's look at the firewall tries and takes for an answer; the engine tier takes the rules away."""

import socket
import subprocess
import sys

from local.images.app.standin.egress_check import REACHED, SCRIPT, places


def look(*tried: str) -> tuple[int, str]:
    command = [sys.executable, "-I", "-S", "-B", "-c", SCRIPT, *tried]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout.strip()


def test_the_machine_is_tried_in_three_ways_and_the_metadata_service_in_one() -> None:
    network = {"IPAM": {"Config": [{"Gateway": "172.31.0.1/24"}]}}
    assert places(network) == ["172.31.0.1:9", "172.31.0.1:22", "172.31.0.1:ping", "169.254.169.254:80"]


def test_a_refusal_is_an_answer_as_an_open_port_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert look(f"127.0.0.1:{port}") == (REACHED, f"127.0.0.1:{port} answers")
    assert look(f"127.0.0.1:{port}") == (REACHED, f"127.0.0.1:{port} answers: Connection refused")


def test_a_ping_is_answered_where_pinging_is_allowed() -> None:
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP).close()
    except OSError:
        assert look("127.0.0.1:ping") == (0, ""), "who may not ping has no answer"
    else:
        assert look("127.0.0.1:ping") == (REACHED, "127.0.0.1:ping answers")


def test_silence_is_no_answer() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        with socket.create_connection(full.getsockname()):
            assert look(f"127.0.0.1:{full.getsockname()[1]}") == (0, "")
