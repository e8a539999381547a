"""The server that the CLI is attached to, in this process."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

import grpc  # type: ignore[import-untyped]
from pulumi.runtime.proto import provider_pb2_grpc

from tests.providers.calls import Calls
from tests.providers.operator_log import OperatorLog
from tests.providers.package import Package
from tests.providers.relay import Place
from tests.providers.servicer import Servicer

_THREADS = 64
"""More than the requests that one command makes at once; a server that boots holds one all the time."""
_STOP_SECONDS = 5.0


class ProviderServer:
    """Serves packages until it is closed; one for each test, because two commands at one server share its cloud.

    `place` is the network namespace in which it listens and in which the CLI has to run.
    """

    def __init__(self, packages: Iterable[Package], place: Place | None = None) -> None:
        self.packages: Mapping[str, Package] = {package.name: package for package in packages}
        self._log = OperatorLog(place)
        self._servicer = Servicer(self.packages, Calls(self._log))
        unlimited = [("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0)]
        self._threads = ThreadPoolExecutor(_THREADS, "provider")
        self._server: Any = grpc.server(self._threads, options=unlimited)
        provider_pb2_grpc.add_ResourceProviderServicer_to_server(self._servicer, self._server)
        if place:
            with place():
                self.port = self._listen()
        else:
            self.port = self._listen()
        self._server.start()

    @property
    def environment(self) -> dict[str, str]:
        """What the CLI needs, so that it takes this server for the plugins of its packages."""
        return {"PULUMI_DEBUG_PROVIDERS": ",".join(f"{name}:{self.port}" for name in self.packages)}

    @property
    def faults(self) -> list[str]:
        """Mistakes of the stand-ins themselves; a test that uses the server ends by finding none."""
        return self._servicer.faults

    def close(self) -> None:
        """Stop; what is still under way is told so, and waited for."""
        self._server.stop(grace=None).wait(_STOP_SECONDS)
        self._threads.shutdown(cancel_futures=True)
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _listen(self) -> int:
        # The socket is made by this very call, so it belongs to the namespace that this thread is in.
        port: int = self._server.add_insecure_port("127.0.0.1:0")
        return port
