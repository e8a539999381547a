"""HTTP by bash alone, spoken to a server on this machine's loopback."""

import http.server
import json
import socket
import subprocess
import threading
from collections.abc import Iterator

import pytest

from probes.http_over_bash import NO_CONNECTION, OUT_OF_TIME, Answer, Request, parse

HOST = "127.0.0.1"


class Echo(http.server.BaseHTTPRequestHandler):
    """Answers with what it was asked, as JSON."""

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        told = {"method": self.command, "path": self.path, "body": body, "headers": dict(self.headers)}
        self.send_response(201)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.end_headers()
        self.wfile.write(json.dumps(told, ensure_ascii=False).encode())

    do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 - the names that the base class calls

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    with http.server.ThreadingHTTPServer((HOST, 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def run(request: Request, seconds: float = 5.0) -> subprocess.CompletedProcess[str]:
    ran = subprocess.run(request.command(seconds), capture_output=True, check=False)
    return subprocess.CompletedProcess(ran.args, ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def test_a_call_arrives_as_it_was_meant_and_its_answer_is_read(port: int) -> None:
    body = json.dumps({"bot": "größe $HOME %s `x` \\n 'quoted'"}, ensure_ascii=False)
    request = Request(
        host=HOST, port=port, path="/api/x?a=1&b=%20", method="POST", body=body, headers={"Content-Type": "x/y"}
    )
    answer = parse(run(request).stdout)
    assert (answer.status, answer.kind) == (201, "application/json")
    told = answer.document()
    assert (told["method"], told["path"], told["body"]) == ("POST", "/api/x?a=1&b=%20", body)
    assert (told["headers"]["Host"], told["headers"]["Content-Type"]) == ("localhost", "x/y")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_a_call_may_be_without_a_body(port: int, method: str) -> None:
    told = parse(run(Request(host=HOST, port=port, path="/", method=method)).stdout).document()
    assert (told["method"], told["body"]) == (method, "")


def test_nobody_listening_is_told_by_the_exit_code() -> None:
    with socket.socket() as bound:
        bound.bind((HOST, 0))
        assert run(Request(host=HOST, port=bound.getsockname()[1], path="/")).returncode == NO_CONNECTION


def test_a_server_that_never_answers_is_told_by_the_exit_code() -> None:
    with socket.create_server((HOST, 0)) as server:
        ran = run(Request(host=HOST, port=server.getsockname()[1], path="/"), seconds=0.3)
    assert ran.returncode == OUT_OF_TIME


@pytest.mark.parametrize("output", ["", "bash: connect: Connection refused", "HTTP/1.1", "HTTP/1.1 fine\r\n\r\n"])
def test_what_is_no_answer_is_refused(output: str) -> None:
    with pytest.raises(ValueError, match="no HTTP answer"):
        parse(output)


def test_an_answer_without_a_content_type_is_no_document() -> None:
    answer = parse("HTTP/1.0 204 No Content\r\n\r\n")
    assert answer == Answer(status=204, kind="", body="")
    with pytest.raises(ValueError, match="status 204 and no content type"):
        answer.document()
