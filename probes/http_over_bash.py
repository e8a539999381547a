"""HTTP from inside a pod that has bash and perhaps nothing else that can speak it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Version 1.0: the answer ends with the connection and has no chunks.
_PROGRAM = """
exec 3<>"/dev/tcp/$0/$1" || exit 7
printf '%s %s HTTP/1.0\\r\\nHost: %s\\r\\nContent-Length: %s\\r\\nConnection: close\\r\\n' "$2" "$3" "$4" "$5" >&3
shift 5
body=$1; shift
for header; do printf '%s\\r\\n' "$header" >&3; done
printf '\\r\\n%s' "$body" >&3
cat <&3
"""
NO_CONNECTION = 7
"""Exit code of the command when nobody listens."""
OUT_OF_TIME = 124
"""Exit code of the command when its deadline has passed."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One call, of an address of the pod's own loopback or of a host that it resolves."""

    host: str
    port: int
    path: str
    method: str = "GET"
    body: str = ""
    """Text: the shell holds it in a variable, so it has no zero bytes."""
    host_header: str = "localhost"
    headers: Mapping[str, str] = field(default_factory=dict)

    def command(self, seconds: float) -> list[str]:
        """Return the command that sends it and prints the whole answer; it ends after `seconds`."""
        lines = [f"{name}: {value}" for name, value in self.headers.items()]
        length = str(len(self.body.encode()))
        words = [self.host, str(self.port), self.method, self.path, self.host_header, length, self.body, *lines]
        return ["timeout", str(seconds), "bash", "-c", _PROGRAM, *words]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    kind: str
    """Its content type without parameters, in small letters; empty when it names none."""
    body: str

    def document(self) -> Any:
        """Return the body as JSON; ValueError for anything else, such as a page."""
        if not self.kind.endswith("json"):
            raise ValueError(f"status {self.status} and {self.kind or 'no content type'}, not JSON: {self.body[:80]!r}")
        return json.loads(self.body)


def parse(output: str) -> Answer:
    """Return the answer in what the command printed; ValueError when it is none."""
    head, _, body = output.partition("\r\n\r\n")
    first, *lines = head.split("\r\n")
    words = first.split(" ", 2)
    if not first.startswith("HTTP/") or len(words) < 2 or not words[1].isdigit():  # noqa: PLR2004 - version and status
        raise ValueError(f"no HTTP answer: {output[:200]!r}")
    named = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    kind = named.get("content-type", "").partition(";")[0].strip().lower()
    return Answer(status=int(words[1]), kind=kind, body=body)
