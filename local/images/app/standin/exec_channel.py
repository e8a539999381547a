"""Frames of a Kubernetes exec WebSocket: one byte names the stream, the rest is its data."""

import json
import struct
from typing import Any

PROTOCOLS = ("v5.channel.k8s.io", "v4.channel.k8s.io")
"""Preferred first; only v5 can close stdin and keep the output open."""
HALF_CLOSE = PROTOCOLS[0]
STDIN, STDOUT, STDERR, STATUS, CLOSE = 0, 1, 2, 3, 255
LARGEST_FRAME = 32 * 1024
"""Bytes of stdin in one message."""


def stdin_frames(data: bytes) -> list[bytes]:
    """Return the messages that carry `data` and then close stdin."""
    chunks = [data[start : start + LARGEST_FRAME] for start in range(0, len(data), LARGEST_FRAME)]
    return [*(struct.pack("B", STDIN) + chunk for chunk in chunks), struct.pack("BB", CLOSE, STDIN)]


def split(message: bytes) -> tuple[int, bytes]:
    """Return stream and data of a message.

    Raises:
        ValueError: an empty message, which names no stream.

    """
    if not message:
        raise ValueError("an exec message without a stream byte")
    return message[0], message[1:]


def exit_code(status: bytes) -> int:
    """Return the command's exit code from the status stream.

    Raises:
        ValueError: the command never ran (unknown program, dead container); says why.

    """
    answer: dict[str, Any] = json.loads(status)
    if answer.get("status") == "Success":
        return 0
    for cause in answer.get("details", {}).get("causes", []):
        if cause.get("reason") == "ExitCode":
            return int(cause["message"])
    raise ValueError(f"exec failed: {answer.get('message', answer)}")
