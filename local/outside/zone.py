"""The public DNS of the outside: one zone; every other name does not exist."""

import asyncio
import struct
from typing import cast

from dnslib import QTYPE, RCODE, RR, SOA, A, DNSError, DNSRecord

from local.cluster import addresses

TTL_SECONDS = 60
NAMES = {
    addresses.PUBLIC_NAME: addresses.PUBLIC_WEB,
    f"dns.{addresses.PUBLIC_ZONE}": addresses.PUBLIC_DNS,
    # A public name that points inside: a filter by name would let it through.
    f"metadata.{addresses.PUBLIC_ZONE}": addresses.METADATA,
    f"neighbour.{addresses.PUBLIC_ZONE}": "10.99.0.10",
}
_LENGTH = struct.Struct("!H")  # what precedes each message on TCP


def reply(query: bytes) -> bytes | None:
    """Answer one message; None for what is no DNS message at all."""
    try:
        question = DNSRecord.parse(query)
    except (DNSError, ValueError, IndexError):
        return None
    name = str(question.q.qname).rstrip(".").lower()
    answer = question.reply()
    answer.header.ra = 1  # CoreDNS forwards to us as to any resolver
    if name in NAMES:
        if question.q.qtype == QTYPE.A:
            answer.add_answer(RR(question.q.qname, QTYPE.A, rdata=A(NAMES[name]), ttl=TTL_SECONDS))
    elif name != addresses.PUBLIC_ZONE:
        answer.header.rcode = RCODE.NXDOMAIN
    if not answer.rr:
        authority = SOA(f"dns.{addresses.PUBLIC_ZONE}", f"admin.{addresses.PUBLIC_ZONE}", (1, 60, 60, 60, 5))
        answer.add_auth(RR(addresses.PUBLIC_ZONE, QTYPE.SOA, rdata=authority, ttl=TTL_SECONDS))
    packed: bytes = answer.pack()
    return packed


class Datagrams(asyncio.DatagramProtocol):
    """DNS over UDP."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        # Not tested for: in Python 3.11 asyncio's own datagram transport is no DatagramTransport.
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer from the address that was asked."""
        answer = reply(data)
        if answer is not None:
            self._transport.sendto(answer, addr)


async def serve_stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """DNS over TCP: as many messages as the client sends on one connection."""
    try:
        while True:
            (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
            answer = reply(await reader.readexactly(length))
            if answer is None:
                return
            writer.write(_LENGTH.pack(len(answer)) + answer)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        return
    finally:
        writer.close()
