"""As much of D-Bus as a call of systemd takes: texts in, texts out, over a socket that two processes share.

The private socket of systemd answers root alone, without a bus in between and without a right of the kernel's.
"""

import os
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass

CALL, RETURN, ERROR = 1, 2, 3
PATH, INTERFACE, MEMBER, NAME_OF_ERROR, REPLY_TO, DESTINATION, SIGNATURE = 1, 2, 3, 4, 5, 6, 8
_KINDS = {PATH: "o", INTERFACE: "s", MEMBER: "s", NAME_OF_ERROR: "s", REPLY_TO: "u", DESTINATION: "s", SIGNATURE: "g"}
_HEAD = struct.Struct("<cBBBII")
_LARGEST = 1 << 20


class BusError(Exception):
    """The other side refuses; the first argument is the error's name."""


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message."""

    kind: int
    serial: int
    fields: dict[int, str | int]
    body: tuple[str, ...] = ()


def pack(message: Message) -> bytes:
    """Write a message."""
    fields = {**message.fields, SIGNATURE: "s" * len(message.body)} if message.body else message.fields
    array = bytearray()
    for code, value in fields.items():
        array += b"\0" * (-len(array) % 8)
        array += bytes([code, 1]) + _KINDS[code].encode() + b"\0"
        array += _packed(_KINDS[code], value, len(array))
    body = bytearray()
    for text in message.body:
        body += _packed("s", text, len(body))
    head = (
        _HEAD.pack(b"l", message.kind, 0, 1, len(body), message.serial) + struct.pack("<I", len(array)) + bytes(array)
    )
    return head + b"\0" * (-len(head) % 8) + bytes(body)


def _packed(kind: str, value: str | int, position: int) -> bytes:
    if kind == "g":
        text = str(value).encode()
        return bytes([len(text)]) + text + b"\0"
    padding = b"\0" * (-position % 4)
    if kind == "u":
        return padding + struct.pack("<I", int(value))
    text = str(value).encode()
    return padding + struct.pack("<I", len(text)) + text + b"\0"


def receive(link: socket.socket) -> Message:
    """Read one message; what of its body is no text is left out. ConnectionError: the other side has gone."""
    head = _exactly(link, _HEAD.size + 4)
    _, kind, _, _, size, serial = _HEAD.unpack(head[: _HEAD.size])
    (length,) = struct.unpack("<I", head[_HEAD.size :])
    if length + size > _LARGEST:
        raise ConnectionError(f"a message of {length + size} bytes")
    rest = _exactly(link, length + (-(len(head) + length) % 8) + size)
    fields = _fields(rest[:length])
    return Message(kind=kind, serial=serial, fields=fields, body=_texts(rest[len(rest) - size :], fields))


def _fields(data: bytes) -> dict[int, str | int]:
    found: dict[int, str | int] = {}
    position = 0
    while position < len(data):
        position += -position % 8
        code, kind = data[position], chr(data[position + 2])
        found[code], position = _unpacked(kind, data, position + 4)
    return found


def _texts(data: bytes, fields: dict[int, str | int]) -> tuple[str, ...]:
    found, position = [], 0
    for kind in str(fields.get(SIGNATURE, "")):
        if kind == "v":
            inner, position = _unpacked("g", data, position)
            kind = str(inner)  # noqa: PLW2901 - the variant's own kind
        if kind not in {"s", "o"}:
            break
        value, position = _unpacked(kind, data, position)
        found.append(str(value))
    return tuple(found)


def _unpacked(kind: str, data: bytes, position: int) -> tuple[str | int, int]:
    if kind == "g":
        size = data[position]
        return data[position + 1 : position + 1 + size].decode(), position + size + 2
    position += -position % 4
    (number,) = struct.unpack_from("<I", data, position)
    if kind == "u":
        return number, position + 4
    return data[position + 4 : position + 4 + number].decode(), position + number + 5


def _exactly(link: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = link.recv(size - len(data))
        if not piece:
            raise ConnectionError("the other side has closed")
        data += piece
    return data


class Bus:
    """A connection on which calls are made one after another."""

    def __init__(self, path: str, seconds: float) -> None:
        """Connect as the user that this process is; OSError: nobody listens there, or he is not let in."""
        self._link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._link.settimeout(seconds)
        self._serial = 0
        try:
            self._enter(path)
        except OSError:
            self._link.close()
            raise

    def _enter(self, path: str) -> None:
        self._link.connect(path)
        user = str(os.geteuid()).encode().hex().encode()
        # In one piece, as systemd's own clients do: a call that arrives together with BEGIN would lie there unread.
        self._link.sendall(b"\0AUTH EXTERNAL " + user + b"\r\nBEGIN\r\n")
        answer = b""
        while not answer.endswith(b"\r\n"):
            answer += _exactly(self._link, 1)
        if not answer.startswith(b"OK"):
            raise PermissionError(f"{path}: {answer.decode(errors='replace').strip()}")

    def call(self, destination: str, path: str, interface: str, member: str, body: Sequence[str]) -> tuple[str, ...]:
        """Call a method and return the texts of its answer; BusError: it refuses."""
        self._serial += 1
        fields: dict[int, str | int] = {PATH: path, INTERFACE: interface, MEMBER: member, DESTINATION: destination}
        self._link.sendall(pack(Message(kind=CALL, serial=self._serial, fields=fields, body=tuple(body))))
        while True:
            answer = receive(self._link)
            if answer.fields.get(REPLY_TO) != self._serial:
                continue  # a signal
            if answer.kind == ERROR:
                raise BusError(str(answer.fields.get(NAME_OF_ERROR, "")), *answer.body)
            return answer.body

    def close(self) -> None:
        """End the connection."""
        self._link.close()
