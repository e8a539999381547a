"""Lines that a provider shows to the operator while it works."""

import threading
from typing import Any

import grpc  # type: ignore[import-untyped]
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc

from tests.providers.call import Severity
from tests.providers.relay import Place, Relay

_SEVERITIES = {
    "debug": engine_pb2.DEBUG,
    "info": engine_pb2.INFO,
    "warning": engine_pb2.WARNING,
    "error": engine_pb2.ERROR,
}
_SECONDS = 10.0


class OperatorLog:
    """Speaks to the engines that speak to this process; an engine that is gone is nobody's trouble."""

    def __init__(self, place: Place | None) -> None:
        self._relay = Relay(place) if place else None
        self._channels: dict[str, Any] = {}
        self._lock = threading.Lock()

    def tell(self, engine: str, urn: str, severity: Severity, text: str, *, passing: bool) -> None:
        """Show a line at a resource; `passing` is for the progress display only."""
        if not engine:
            return
        request = engine_pb2.LogRequest(severity=_SEVERITIES[severity], message=text, urn=urn, ephemeral=passing)
        try:
            engine_pb2_grpc.EngineStub(self._channel(engine)).Log(request, timeout=_SECONDS)
        except grpc.RpcError:
            return

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            for channel in self._channels.values():
                channel.close()
            self._channels.clear()
        if self._relay:
            self._relay.close()

    def _channel(self, engine: str) -> Any:
        with self._lock:
            if engine not in self._channels:
                target = f"unix:{self._relay.to(engine)}" if self._relay else engine
                self._channels[engine] = grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)])
            return self._channels[engine]
