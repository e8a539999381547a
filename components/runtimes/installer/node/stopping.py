"""The end of a pod, told by a signal."""

import signal
import threading


def listen() -> threading.Event:
    """Return an event that is set when the pod is told to end."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    return told


def say(text: str) -> None:
    """Write a line into the pod's log at once."""
    print(text, flush=True)  # noqa: T201 - the log is this program's output
