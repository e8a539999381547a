"""Port 6443 of a server: TLS ends here, the supervisor's own paths are answered, all else goes to the API server.

A client that shows a certificate of the cluster is passed on with a new one of the same name and groups: the API server
sees who calls, and nothing but the first line of a connection has to be understood here.
"""

import asyncio
import contextlib
import ssl
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.x509.oid import NameOID

from tests.k3s.program.paths import Layout
from tests.k3s.program.relay import relay
from tests.k3s.program.server_files import API_PORT, LOCAL_API, ServerFiles
from tests.k3s.program.supervisor_api import OWN, PREFIX, Request, SupervisorApi

HEAD_LIMIT = 256 * 1024
"""Bytes of a request's head; tokens and protocols of an upgrade are in it."""
BACKLOG = 512
Identity = tuple[str, tuple[str, ...]]
"""Name and groups."""


class Gate:
    """Listens, and passes connections on."""

    def __init__(self, layout: Layout, files: ServerFiles, api: SupervisorApi) -> None:
        """Read the server's certificates."""
        self._files = files
        self._api = api
        self._layout = layout
        self._contexts: dict[Identity | None, ssl.SSLContext] = {}
        self._inside = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        serving = layout.tls / "serving-kube-apiserver"
        self._inside.load_cert_chain(serving.with_suffix(".crt"), serving.with_suffix(".key"))
        self._inside.load_verify_locations(layout.tls / "client-ca.crt")
        self._inside.verify_mode = ssl.CERT_OPTIONAL
        # Bytes are passed on as they are, so both ends speak the one version that needs no frames.
        self._inside.set_alpn_protocols(["http/1.1"])

    async def listen(self, address: str) -> asyncio.Server:
        """Begin to listen; OSError when the port is taken."""
        return await asyncio.start_server(
            self._serve, address, API_PORT, ssl=self._inside, reuse_port=True, backlog=BACKLOG, limit=HEAD_LIMIT
        )

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # A client that goes away is not worth a line.
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._handle(reader, writer)
        finally:
            writer.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line, *lines = head.decode("latin-1").split("\r\n")
        method, target, *_ = [*line.split(" "), "", ""]
        path = urlsplit(target).path
        if not path.startswith(PREFIX) and path not in OWN:
            await self._pass_on(head, reader, writer)
            return
        headers = {name.strip().lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
        body = await reader.readexactly(int(headers.get("content-length") or 0))
        status, text = await asyncio.to_thread(self._api.answer, Request(method, path, headers, body))
        content = text.encode()
        reply = f"HTTP/1.1 {int(status)} k3s\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
        writer.write(reply.encode() + content)
        await writer.drain()

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        context = self._context(_identity(writer))
        try:
            far_reader, far_writer = await asyncio.open_connection(LOCAL_API, API_PORT, ssl=context, limit=HEAD_LIMIT)
        except OSError:
            writer.write(b"HTTP/1.1 503 k3s\r\nContent-Length: 8\r\nConnection: close\r\n\r\nstarting")
            await writer.drain()
            return
        far_writer.write(head)
        await relay((reader, writer), (far_reader, far_writer))

    def _context(self, identity: Identity | None) -> ssl.SSLContext:
        """Return how the API server is called on behalf of somebody; None is somebody without a certificate."""
        if identity not in self._contexts:
            context = ssl.create_default_context(cafile=str(self._layout.tls / "server-ca.crt"))
            context.set_alpn_protocols(["http/1.1"])
            if identity is not None:
                pair = self._files.client(identity[0], *identity[1])
                # OpenSSL reads a client's certificate from a file only.
                with tempfile.TemporaryDirectory() as folder:
                    pair.write(Path(folder), "client")
                    context.load_cert_chain(f"{folder}/client.crt", f"{folder}/client.key")
            self._contexts[identity] = context
        return self._contexts[identity]


def _identity(writer: asyncio.StreamWriter) -> Identity | None:
    shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    if not shown:
        return None
    subject = x509.load_der_x509_certificate(shown).subject
    names = [str(each.value) for each in subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
    groups = [str(each.value) for each in subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)]
    return (names[0] if names else ""), tuple(groups)
