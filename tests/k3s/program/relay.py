"""Passing the bytes of two connections on to each other."""

import asyncio

CHUNK = 64 * 1024
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def relay(near: Ends, far: Ends) -> None:
    """Pass on until either end has nothing more to say, then close the far one; OSError is the caller's."""
    try:
        ways = [asyncio.create_task(_copy(near[0], far[1])), asyncio.create_task(_copy(far[0], near[1]))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
    finally:
        far[1].close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(CHUNK):
        writer.write(data)
        await writer.drain()
