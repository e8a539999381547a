"""The public DNS of the outside: a few names; every other one does not exist."""

import asyncio
import struct
from typing import Any, cast

from dnslib import AAAA, QTYPE, RCODE, RR, SOA, A, DNSError, DNSRecord

from local.cluster import addresses
from local.cluster.family import Families

TTL_SECONDS = 60
TYPES = {4: (QTYPE.A, A), 6: (QTYPE.AAAA, AAAA)}
"""Version of a family to the record type of its addresses."""
_LENGTH = struct.Struct("!H")  # what precedes each message on TCP


def _zone_of(name: str) -> str:
    return name if name == addresses.WELL_KNOWN_NAME else addresses.PUBLIC_ZONE


class Zone:
    """What the outside knows of names."""

    def __init__(self, families: Families) -> None:
        """Know the addresses of these families."""
        self._records = {
            (name, TYPES[family.version][0]): TYPES[family.version][1](address)
            for family in families
            for name, address in family.names.items()
        }
        self._names = {addresses.PUBLIC_ZONE, *(name for name, _ in self._records)}

    def reply(self, query: bytes) -> bytes | None:
        """Answer one message; None for what is no DNS message at all."""
        try:
            question = DNSRecord.parse(query)
        except (DNSError, ValueError, IndexError):
            return None
        name = str(question.q.qname).rstrip(".").lower()
        answer = question.reply()
        answer.header.ra = 1  # CoreDNS forwards to us as to any resolver
        record = self._records.get((name, question.q.qtype))
        if record is not None:
            answer.add_answer(RR(question.q.qname, question.q.qtype, rdata=record, ttl=TTL_SECONDS))
        else:
            if name not in self._names:
                answer.header.rcode = RCODE.NXDOMAIN
            zone = _zone_of(name)
            authority = SOA(f"dns.{addresses.PUBLIC_ZONE}", f"admin.{addresses.PUBLIC_ZONE}", (1, 60, 60, 60, 5))
            answer.add_auth(RR(zone, QTYPE.SOA, rdata=authority, ttl=TTL_SECONDS))
        packed: bytes = answer.pack()
        return packed

    async def serve_stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """DNS over TCP: as many messages as the client sends on one connection."""
        try:
            while True:
                (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
                answer = self.reply(await reader.readexactly(length))
                if answer is None:
                    return
                writer.write(_LENGTH.pack(len(answer)) + answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()


class Datagrams(asyncio.DatagramProtocol):
    """DNS over UDP."""

    def __init__(self, zone: Zone) -> None:
        """Answer what `zone` says."""
        self._zone = zone

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        # Not tested for: in Python 3.11 asyncio's own datagram transport is no DatagramTransport.
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        """Answer from the address that was asked."""
        answer = self._zone.reply(data)
        if answer is not None:
            self._transport.sendto(answer, addr)
