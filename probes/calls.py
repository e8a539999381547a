"""The application, called from inside its own pods: nobody else may."""

from probes.http_over_bash import NO_CONNECTION, OUT_OF_TIME, Answer, Request, parse
from probes.prober import ProbeError, Prober, Stack
from probes.vantage import Vantage

LOOPBACK = "127.0.0.1"
SHORT_SECONDS = 10.0


def call(
    scene: Prober, vantage: Vantage, path: str, *, method: str = "GET", body: str = "", seconds: float = SHORT_SECONDS
) -> Answer:
    """Call a service in its own pod; ProbeError when it does not answer within `seconds`."""
    port = _port(scene.facts, vantage)
    request = Request(host=LOOPBACK, port=port, path=path, method=method, body=body, headers=_headers(body))
    ran = scene.execute(vantage, request.command(seconds), int(seconds) + 10)
    where = f"{method} {path.partition('?')[0]} of {vantage}"
    if ran.exit_code == OUT_OF_TIME:
        raise ProbeError(f"{where}: no answer within {seconds:.0f} s")
    if ran.exit_code == NO_CONNECTION:
        raise ProbeError(f"{where}: nobody listens on {LOOPBACK}:{port}")
    return parse(ran.output)


def _headers(body: str) -> dict[str, str]:
    return {"Content-Type": "application/json"} if body.startswith("{") else {}


def _port(facts: Stack, vantage: Vantage) -> int:
    port = facts.service(str(vantage)).port
    if port is None:
        raise ValueError(f"{vantage} listens on no port")
    return port
