"""ICMP echo from inside a pod: neither TCP nor UDP, so a rule about ports says nothing about it."""

import json
from collections.abc import Iterable

from probes.reach import Destination

# A datagram socket of protocol ICMP needs no capability under gVisor; the reply carries what was sent.
_PROGRAM = """
import json, socket, struct, sys
from concurrent.futures import ThreadPoolExecutor
def summed(packet):
    total = sum(struct.unpack("!%dH" % (len(packet) // 2), packet))
    return ~(total % 0xffff) & 0xffff
def ping(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP) as asking:
        asking.settimeout(2)
        head = lambda check: struct.pack("!BBHHH", 8, 0, check, 1, 1)
        asking.sendto(head(summed(head(0) + b"carried!")) + b"carried!", (address, 0))
        try:
            return asking.recv(100).endswith(b"carried!")
        except OSError:
            return False
addresses = json.loads(sys.argv[1])
with ThreadPoolExecutor(len(addresses)) as pool:
    print(json.dumps(list(pool.map(ping, addresses))))
"""


def command(destinations: Iterable[Destination]) -> list[str]:
    """Return the command that pings all destinations at once."""
    return ["python3", "-c", _PROGRAM, json.dumps([each.address for each in destinations])]


def answering(destinations: Iterable[Destination], output: str) -> list[str]:
    """Return the names of the destinations that sent back what they were sent."""
    return [each.name for each, came in zip(destinations, json.loads(output), strict=True) if came]
