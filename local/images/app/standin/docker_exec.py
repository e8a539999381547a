"""A command in a container over Docker's socket: the connection becomes the command's streams."""

import asyncio
import json
import struct
from dataclasses import dataclass

STDOUT, STDERR = 1, 2
HEADER = struct.Struct(">BxxxL")
LARGEST_HEAD = 64 << 10
UPGRADED = (b"HTTP/1.1 101", b"HTTP/1.1 200")


@dataclass(frozen=True)
class Streams:
    """What a command wrote."""

    stdout: bytes
    stderr: bytes


async def attach(socket: str, base: str, execution: str, stdin: bytes | None) -> Streams:
    """Start a prepared execution, send `stdin` and close it, and return what the command wrote.

    Raises:
        OSError: the socket or the connection broke, or Docker did not hand the streams over.

    """
    reader, writer = await asyncio.open_unix_connection(socket, limit=LARGEST_HEAD)
    try:
        body = json.dumps({"Detach": False, "Tty": False}).encode()
        head = (
            f"POST {base}/exec/{execution}/start HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(UPGRADED):
            raise ConnectionError(answer.split(b"\r\n", 1)[0].decode(errors="replace"))
        sending = asyncio.ensure_future(_send(writer, stdin))
        try:
            return split(await reader.read())
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise ConnectionError("Docker ended the connection before it answered") from error
    finally:
        writer.close()


async def _send(writer: asyncio.StreamWriter, stdin: bytes | None) -> None:
    if stdin is not None:
        writer.write(stdin)
        await writer.drain()
        writer.write_eof()


def split(content: bytes) -> Streams:
    """Take apart what comes without a terminal: frames of which each says its stream and length."""
    streams = {STDOUT: bytearray(), STDERR: bytearray()}
    at = 0
    while at + HEADER.size <= len(content):
        stream, length = HEADER.unpack_from(content, at)
        at += HEADER.size
        streams.get(stream, streams[STDERR]).extend(content[at : at + length])
        at += length
    return Streams(bytes(streams[STDOUT]), bytes(streams[STDERR]))
