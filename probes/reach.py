"""Whether addresses answer from where a program runs: the programs, and what their answers mean."""

import json
from collections.abc import Iterable, Sequence
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
    """No route, or a router that says that there is none."""


BROKEN = "broken"
"""What a program prints in the place of an answer when it could not try; no answer, since it would look closed."""

DNS_QUERY = b"\x00\x07\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03com\x00\x00\x01\x00\x01"
"""A question that every DNS server answers somehow: one name, type A, class IN."""


@dataclass(frozen=True, kw_only=True)
class Destination:
    """One address and port with the name a person knows it by."""

    name: str
    address: str
    port: int = 0
    """0: not a port but an echo request (ICMP)."""
    datagram: bytes = b""
    """What is sent over UDP: any answer to it means open. Empty: the port is TCP, and a connection means open."""

    def __post_init__(self) -> None:
        """Refuse host names: a claim about an address must not depend on DNS."""
        ip_address(self.address)

    @property
    def protocol(self) -> str:
        """`tcp`, `udp` or `icmp`."""
        return "icmp" if self.port == 0 else "udp" if self.datagram else "tcp"

    @property
    def family(self) -> int:
        """4 or 6."""
        return ip_address(self.address).version

    def __str__(self) -> str:
        """Return the name with the address, as reports show it."""
        host = f"[{self.address}]" if self.family == 6 else self.address  # noqa: PLR2004 - the family's number
        where = {"tcp": f"{host}:{self.port}", "udp": f"{host}:{self.port} by UDP", "icmp": f"{self.address} by ping"}
        return f"{self.name} ({where[self.protocol]})"


# Runs with any Python 3 and nothing else, since a computer has no more. Echo requests need no capability on a
# datagram socket under gVisor, nor where the kernel's ping_group_range admits the user; their checksum is ours to
# make on IPv4 and the kernel's on IPv6. A reply that does not carry what was sent is not one.
_PROGRAM = """
import errno, json, socket, struct, sys
from concurrent.futures import ThreadPoolExecutor
BODY = b"carried!"
OURS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EAGAIN)
def summed(packet):
    total = sum(struct.unpack("!%dH" % (len(packet) // 2), packet))
    return ~((total & 0xffff) + (total >> 16)) & 0xffff
def echo(kind):
    head = lambda check: struct.pack("!BBHHH", kind, 0, check, 1, 1)
    return head(summed(head(0) + BODY)) + BODY
def attempt(address, port, datagram, seconds):
    six = ":" in address
    family = socket.AF_INET6 if six else socket.AF_INET
    try:
        if port and not datagram:
            socket.create_connection((address, port), seconds).close()
            return "open"
        protocol = 0 if port else socket.IPPROTO_ICMPV6 if six else socket.IPPROTO_ICMP
        with socket.socket(family, socket.SOCK_DGRAM, protocol) as asking:
            asking.settimeout(seconds)
            asking.connect((address, port))
            asking.send(bytes.fromhex(datagram) if port else echo(128 if six else 8))
            got = asking.recv(512)
            return "open" if port or got.endswith(BODY) else "unreachable"
    except ConnectionRefusedError:
        return "refused"
    except (TimeoutError, socket.timeout):
        return "silent"
    except OSError as error:
        if error.errno in OURS:
            return "broken"
        return "refused" if error.errno in (errno.EPERM, errno.EACCES) and port else "unreachable"
seconds, destinations = json.loads(sys.argv[1])
with ThreadPoolExecutor(max(1, min(64, len(destinations)))) as pool:
    print(json.dumps(list(pool.map(lambda d: attempt(*d, seconds), destinations))))
"""

# For the application's own pods, whose images have bash and perhaps nothing else that can dial. Of a connection that
# failed bash names the address; whatever else it or `timeout` says is of the pod itself: no process, memory or open
# file was left, there is no such program, or this bash cannot dial. 143 is `timeout` of busybox.
_SHELL = """
attempt() {
  said=$(LC_ALL=C timeout "$SECONDS_EACH" bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$2" "$3" 2>&1); code=$?
  case "$code:$said" in
    0:*) echo "$1 open" ;;
    124:*|143:*) echo "$1 silent" ;;
    *"oo many open"*|*"annot allocate"*|*"buffer space"*|*"emporarily un"*|*"o such file"*) echo "$1 broken" ;;
    *refused*|*"peration not permitted"*) echo "$1 refused" ;;
    */dev/tcp/*) echo "$1 unreachable" ;;
    *) echo "$1 broken" ;;
  esac
}
SECONDS_EACH=$1; shift; number=0
while [ $# -gt 1 ]; do attempt "$number" "$1" "$2" & number=$((number + 1)); shift 2; done
wait
"""


def command(destinations: Iterable[Destination], seconds: float = 2.0) -> list[str]:
    """Return the command that tries all destinations at once; `seconds` is the deadline of each."""
    asked = [[each.address, each.port, each.datagram.hex()] for each in destinations]
    return ["python3", "-c", _PROGRAM, json.dumps([seconds, asked])]


def answers(destinations: Sequence[Destination], output: str) -> dict[str, Answer]:
    """Return what each destination answered, by name, from what a command printed."""
    return {each.name: answer for each, answer in zip(destinations, listed(destinations, output), strict=True)}


def shell_command(destinations: Sequence[Destination], seconds: float = 2.0) -> list[str]:
    """Return the same command for a pod that has bash and no Python; ValueError for anything but TCP."""
    strange = [str(each) for each in destinations if each.protocol != "tcp"]
    if strange:
        raise ValueError(f"bash dials TCP alone, not {', '.join(strange)}")
    pairs = [text for each in destinations for text in (each.address, str(each.port))]
    return ["bash", "-c", _SHELL, "reach", str(seconds), *pairs]


def listed(destinations: Sequence[Destination], output: str) -> list[Answer]:
    """Return the answers in the destinations' order, from what either command printed.

    ValueError when one is missing, or could not be tried.

    bash prints each answer with its number as it comes; Python prints one list.
    """
    if output.lstrip().startswith("["):
        found = dict(enumerate(json.loads(output)))
    else:
        found = {int(number): word for number, word in (line.split() for line in output.splitlines() if line.strip())}
    if sorted(found) != list(range(len(destinations))):
        raise ValueError(f"{len(destinations)} addresses were tried, the answers are: {output[-500:]}")
    broken = [str(each) for number, each in enumerate(destinations) if found[number] == BROKEN]
    if broken:
        raise ValueError(f"no process, memory or open file was left there to try {', '.join(broken[:3])}")
    return [Answer(found[number]) for number in range(len(destinations))]
