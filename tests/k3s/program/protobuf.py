"""Reading protocol buffers without their schema: field numbers to values."""

from collections import defaultdict
from typing import Any

from tests.k3s.program.refusal import Refusal

Message = dict[int, list[Any]]
"""Field's number to its values: numbers, or bytes that are a text or a message again."""


def read(data: bytes) -> Message:
    """Return the fields of one message; Refusal when it is none."""
    fields: Message = defaultdict(list)
    place = 0
    while place < len(data):
        tag, place = _number(data, place)
        number, wire = tag >> 3, tag & 7
        value: int | bytes
        if wire == 0:
            value, place = _number(data, place)
        elif wire == 2:
            length, place = _number(data, place)
            value, place = data[place : place + length], place + length
        elif wire in (1, 5):
            width = 8 if wire == 1 else 4
            value, place = int.from_bytes(data[place : place + width], "little"), place + width
        else:
            raise Refusal(f"no protocol buffer: wire type {wire}")
        fields[number].append(value)
    return fields


def _number(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if place >= len(data):
            raise Refusal("no protocol buffer: it ends within a number")
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place += 1
        if byte < 0x80:
            return value, place
        shift += 7


def text(message: Message, number: int) -> str:
    """Return a field that is a text; empty when it is not set."""
    return message[number][0].decode() if message.get(number) else ""


def count(message: Message, number: int) -> int:
    """Return a field that is a number; 0 when it is not set."""
    return int(message[number][0]) if message.get(number) else 0


def part(message: Message, number: int) -> Message:
    """Return a field that is a message; empty when it is not set."""
    return read(message[number][0]) if message.get(number) else {}


def mapping(message: Message, number: int) -> dict[str, str]:
    """Return a field that is a map of texts."""
    entries = [read(entry) for entry in message.get(number, [])]
    return {text(entry, 1): text(entry, 2) for entry in entries}
