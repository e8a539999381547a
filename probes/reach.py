"""Whether addresses answer from where a program runs: the program, and what its answers mean."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address


class Answer(StrEnum):
    """How one attempt ended."""

    OPEN = "open"
    REFUSED = "refused"
    """Somebody said no: the host itself, or an enforcer that rejects."""
    SILENT = "silent"
    """Nobody answered within the deadline: nothing there, or an enforcer that drops."""
    UNREACHABLE = "unreachable"
    """No route."""


@dataclass(frozen=True, kw_only=True)
class Destination:
    """One address and port with the name a person knows it by."""

    name: str
    address: str
    port: int
    datagram: bytes = b""
    """What is sent over UDP: any answer to it means open. Empty: the port is TCP, and a connection means open."""

    def __post_init__(self) -> None:
        """Refuse host names: a claim about an address must not depend on DNS."""
        ip_address(self.address)

    def __str__(self) -> str:
        """Return the name with the address, as reports show it."""
        return f"{self.name} ({self.address}:{self.port})"


# Runs with any Python 3 and nothing else, since a computer has no more.
_PROGRAM = """
import json, socket, sys
from concurrent.futures import ThreadPoolExecutor
def attempt(address, port, datagram, seconds):
    try:
        if datagram:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
                asking.settimeout(seconds)
                asking.connect((address, port))
                asking.send(bytes.fromhex(datagram))
                asking.recv(1)
        else:
            socket.create_connection((address, port), seconds).close()
        return "open"
    except ConnectionRefusedError:
        return "refused"
    except (TimeoutError, socket.timeout):
        return "silent"
    except OSError:
        return "unreachable"
seconds, destinations = json.loads(sys.argv[1])
with ThreadPoolExecutor(len(destinations)) as pool:
    print(json.dumps(list(pool.map(lambda d: attempt(*d, seconds), destinations))))
"""


def command(destinations: Iterable[Destination], seconds: float = 2.0) -> list[str]:
    """Return the command that tries all destinations at once; `seconds` is the deadline of each."""
    asked = [[each.address, each.port, each.datagram.hex()] for each in destinations]
    return ["python3", "-c", _PROGRAM, json.dumps([seconds, asked])]


def answers(destinations: Iterable[Destination], output: str) -> dict[str, Answer]:
    """Return what each destination answered, by name, from what the command printed."""
    return {each.name: Answer(text) for each, text in zip(destinations, json.loads(output), strict=True)}
