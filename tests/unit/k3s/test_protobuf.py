"""Reading containerd's answers without their schema."""

import pytest

from tests.k3s.program import protobuf
from tests.k3s.program.refusal import Refusal


def test_numbers_texts_messages_and_maps_are_read() -> None:
    entry = b"\x0a\x01k\x12\x01v"
    data = b"\x08\xac\x02" + b"\x12\x03abc" + b"\x1a\x02\x08\x05" + b"\x22" + bytes([len(entry)]) + entry
    message = protobuf.read(data)
    assert protobuf.count(message, 1) == 300
    assert protobuf.text(message, 2) == "abc"
    assert protobuf.count(protobuf.part(message, 3), 1) == 5
    assert protobuf.mapping(message, 4) == {"k": "v"}
    assert (protobuf.count(message, 9), protobuf.text(message, 9), protobuf.part(message, 9)) == (0, "", {})


def test_fixed_widths_are_passed_over() -> None:
    assert protobuf.count(protobuf.read(b"\x09" + bytes(8) + b"\x15" + bytes(4) + b"\x18\x07"), 3) == 7


@pytest.mark.parametrize("data", [b"\x80", b"\x0b"])
def test_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(Refusal, match="no protocol buffer"):
        protobuf.read(data)
