"""The in-cluster Kubernetes API with Rakazo's five verbs: pods create, get, delete; pods/exec create, get."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import aiohttp

from . import exec_channel
from .provider import Execution, ProviderError

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
CONFLICT = 409
NOT_FOUND = 404
REQUEST_SECONDS = 60
ERRORS_FROM = 400


class KubernetesError(ProviderError):
    """The API server said no; `status` is its HTTP status, 0 when it was not reached."""

    provider = "kubernetes"


class Kubernetes:
    """One namespace's pods; the token is read for every call because the kubelet renews it."""

    def __init__(self, session: aiohttp.ClientSession, base: str, namespace: str, account: Path) -> None:
        self._session = session
        self._pods = f"{base}/api/v1/namespaces/{namespace}/pods"
        self._account = account
        authority = account / "ca.crt"
        secured = base.startswith("https")
        self._ssl: ssl.SSLContext | bool = not secured or ssl.create_default_context(cafile=str(authority))

    @classmethod
    def in_cluster(cls, session: aiohttp.ClientSession, values: Mapping[str, str], namespace: str) -> "Kubernetes":
        """Return the client a pod's own environment describes.

        Raises:
            KubernetesError: not in a pod, or without a mounted ServiceAccount.

        """
        host, port = values.get("KUBERNETES_SERVICE_HOST", ""), values.get("KUBERNETES_SERVICE_PORT", "443")
        if not host:
            raise KubernetesError(0, "KUBERNETES_SERVICE_HOST is not set: this process is in no cluster")
        if not (ACCOUNT / "ca.crt").exists():
            raise KubernetesError(0, f"{ACCOUNT}/ca.crt is missing: no ServiceAccount is mounted in this pod")
        host = f"[{host}]" if ":" in host else host
        return cls(session, f"https://{host}:{port}", namespace, ACCOUNT)

    async def create(self, pod: dict[str, Any]) -> bool:
        """Create a pod; False when one of that name is there already (AlreadyExists is tolerated)."""
        try:
            await self._call("POST", "", pod)
        except KubernetesError as error:
            if error.status == CONFLICT and "already exists" in str(error):
                return False
            raise
        return True

    async def get(self, name: str) -> dict[str, Any] | None:
        """Return a pod, or None when there is none."""
        try:
            return await self._call("GET", f"/{name}", None)
        except KubernetesError as error:
            if error.status == NOT_FOUND:
                return None
            raise

    async def delete(self, name: str) -> None:
        """Delete a pod; one that is gone already is tolerated."""
        try:
            await self._call("DELETE", f"/{name}", {"gracePeriodSeconds": 5})
        except KubernetesError as error:
            if error.status != NOT_FOUND:
                raise

    async def execute(
        self,
        name: str,
        command: list[str],
        *,
        timeout: float,  # noqa: ASYNC109 -- seconds, upstream's SANDBOX_COMMAND_TIMEOUT_MS
        stdin: bytes | None = None,
        sink: Callable[[bytes], object] | None = None,
    ) -> Execution:
        """Run a command in a computer, stdout going to `sink` when there is one.

        Raises:
            KubernetesError: not allowed, not reached, not run, or longer than `timeout` seconds.

        """
        try:
            return await asyncio.wait_for(self._stream(name, command, stdin, sink), timeout)
        except TimeoutError as error:
            raise KubernetesError(0, f"{command[0]} in {name} ran longer than {timeout:g} s") from error
        except aiohttp.WSServerHandshakeError as error:
            message = f"pods/exec of {name}: HTTP {error.status} {error.message}"
            raise KubernetesError(error.status, message) from error
        except (aiohttp.ClientError, OSError) as error:
            raise KubernetesError(0, f"the Kubernetes API was not reached: {error}") from error
        except ValueError as error:
            raise KubernetesError(0, f"{name}: {error}") from error

    async def _stream(
        self, name: str, command: list[str], stdin: bytes | None, sink: Callable[[bytes], object] | None
    ) -> Execution:
        query = [("stdout", "true"), ("stderr", "true"), *(("command", word) for word in command)]
        if stdin is not None:
            query.append(("stdin", "true"))
        out, errors, status = bytearray(), bytearray(), bytearray()
        write = sink or out.extend
        async with self._session.ws_connect(
            f"{self._pods}/{name}/exec",
            params=query,
            headers=self._headers(),
            protocols=exec_channel.PROTOCOLS,
            ssl=self._ssl,
            max_msg_size=0,
            heartbeat=30,
        ) as socket:
            if stdin is not None and socket.protocol != exec_channel.HALF_CLOSE:
                raise ValueError(f"the API server speaks {socket.protocol}, which cannot close stdin")
            sending = asyncio.ensure_future(_send(socket, stdin))
            try:
                async for message in socket:
                    if message.type != aiohttp.WSMsgType.BINARY:
                        continue
                    stream, data = exec_channel.split(message.data)
                    if stream == exec_channel.STDOUT:
                        write(data)
                    elif stream == exec_channel.STDERR:
                        errors.extend(data)
                    elif stream == exec_channel.STATUS:
                        status.extend(data)
            finally:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)
        if not status:
            raise ValueError("the exec stream broke off without a status; the computer may be gone")
        return Execution(exec_channel.exit_code(bytes(status)), bytes(out), bytes(errors))

    async def _call(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        try:
            async with self._session.request(
                method,
                self._pods + path,
                json=body,
                headers=self._headers(),
                ssl=self._ssl,
                timeout=aiohttp.ClientTimeout(total=REQUEST_SECONDS),
            ) as response:
                answer: dict[str, Any] = await response.json(content_type=None)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise KubernetesError(0, f"the Kubernetes API was not reached: {error!r}") from error
        except ValueError as error:
            raise KubernetesError(0, f"the Kubernetes API answered no JSON: {error}") from error
        if response.status >= ERRORS_FROM:
            raise KubernetesError(response.status, str(answer.get("message", answer)))
        return answer

    def _headers(self) -> dict[str, str]:
        try:
            token = (self._account / "token").read_text().strip()
        except OSError as error:
            raise KubernetesError(0, f"no ServiceAccount token is mounted in this pod: {error}") from error
        return {"Authorization": f"Bearer {token}"}


async def _send(socket: aiohttp.ClientWebSocketResponse, stdin: bytes | None) -> None:
    for frame in exec_channel.stdin_frames(stdin) if stdin is not None else []:
        await socket.send_bytes(frame)
