"""What a command in a pod means when the connection says nothing of its end. Real ones run in the slow tiers."""

from typing import Any

import pytest
import yaml
from kubernetes import client
from websocket import WebSocketConnectionClosedException

from probes import pods
from probes.pods import PodError, Pods


class Session:
    """A connection over which nothing about the command's end comes."""

    def __init__(self, broken: Exception | None, unread: Exception | None) -> None:
        self._broken, self._unread = broken, unread
        self.open = {"session", "socket"}
        self.sock = self

    def run_forever(self, timeout: float) -> None:
        """Break off, or end."""
        assert timeout > 0
        if self._broken is not None:
            raise self._broken

    def is_open(self) -> bool:
        """Say that it has ended."""
        return False

    def close(self) -> None:
        """Say goodbye, which leaves the socket open when the other side closed first."""
        self.open.discard("session")

    def shutdown(self) -> None:
        """Close the socket."""
        self.open.discard("socket")

    @property
    def returncode(self) -> int:
        """Fail as the client does."""
        assert self._unread is not None
        raise self._unread


@pytest.mark.parametrize(
    "session",
    [
        Session(WebSocketConnectionClosedException("Connection to remote host was lost."), None),
        Session(None, TypeError("'NoneType' object is not subscriptable")),
        Session(None, KeyError("causes")),
        Session(None, ValueError("invalid literal for int()")),
        Session(None, yaml.YAMLError("while parsing a flow mapping")),
    ],
    ids=["broken off", "no status", "a status without a cause", "no number", "half a status"],
)
def test_a_command_of_whose_end_nobody_tells_breaks_one_probe_and_not_the_run(
    monkeypatch: pytest.MonkeyPatch, session: Any
) -> None:
    monkeypatch.setattr(pods, "stream", lambda *_, **__: session)
    with pytest.raises(PodError, match="echo in computers/verify-computer did not run, or nobody told how it ended"):
        Pods(client.ApiClient(), "computers").execute("verify-computer", ["echo", "alive"])
    assert session.open == set()
