"""Values as the engine sends them: plain JSON, and two things that JSON lacks, the unknown and the secret."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final

from google.protobuf import struct_pb2  # type: ignore[import-untyped]
from pulumi.runtime import rpc

SIGNATURE: Final = rpc._special_sig_key
SECRET: Final = rpc._special_secret_sig
ASSET: Final = rpc._special_asset_sig
ARCHIVE: Final = rpc._special_archive_sig

UNKNOWNS: Final = frozenset(
    {
        rpc.UNKNOWN,
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
        "030794c1-ac77-496b-92df-f27374a8bd58",
        "e48ece36-62e2-4504-bad9-02848725956a",
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    }
)
"""One for each type of value; the SDK only has the first, and a receiver has to take all (sdk/go/.../plugin/rpc.go)."""


@final
class Unknown:
    """A value that exists only after the deployment; there is one instance."""

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __deepcopy__(self, memo: object) -> "Unknown":
        return self


UNKNOWN: Final = Unknown()


@dataclass(frozen=True)
class Secret:
    """A value that the engine encrypts and never shows."""

    value: Any = field(repr=False)


Properties = dict[str, Any]
"""Wire name to value."""


def decode(struct: Any) -> Properties:
    """Return a protobuf Struct as properties; whole numbers become int, and null means absent."""
    return {key: value for key, item in struct.fields.items() if (value := _decoded(item)) is not None}


def _decoded(value: Any) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        fields = value.struct_value.fields
        if SIGNATURE in fields and fields[SIGNATURE].string_value == SECRET:
            return Secret(_decoded(fields["value"]))
        return decode(value.struct_value)
    if kind == "list_value":
        return [_decoded(item) for item in value.list_value.values]
    if kind == "number_value":
        number = value.number_value
        return int(number) if number.is_integer() else number
    if kind == "string_value":
        return UNKNOWN if value.string_value in UNKNOWNS else value.string_value
    return value.bool_value if kind == "bool_value" else None


def encode(properties: Mapping[str, Any]) -> Any:
    """Return properties as a protobuf Struct; None is left out, which is how the protocol says absent."""
    struct = struct_pb2.Struct()
    for key, value in properties.items():
        if value is not None:
            struct.fields[key].CopyFrom(_encoded(value))
    return struct


def _encoded(value: Any) -> Any:
    if isinstance(value, Secret):
        value = {SIGNATURE: SECRET, "value": value.value}
    if isinstance(value, Mapping):
        return struct_pb2.Value(struct_value=encode(value))
    if isinstance(value, (list, tuple)):
        return struct_pb2.Value(list_value=struct_pb2.ListValue(values=[_encoded(item) for item in value]))
    return struct_pb2.Value(**_scalar(value))


def _scalar(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"bool_value": value}
    if isinstance(value, (int, float)):
        return {"number_value": value}
    if value is None:
        return {"null_value": struct_pb2.NULL_VALUE}
    return {"string_value": rpc.UNKNOWN if value is UNKNOWN else str(value)}


def revealed(value: Any) -> Any:
    """Return a value without its secret wrappers."""
    if isinstance(value, Secret):
        return revealed(value.value)
    if isinstance(value, Mapping):
        return {key: revealed(item) for key, item in value.items()}
    return [revealed(item) for item in value] if isinstance(value, list) else value


def holds_secret(value: Any) -> bool:
    """Whether a value is a secret or has one somewhere below."""
    if isinstance(value, Mapping):
        return any(holds_secret(item) for item in value.values())
    if isinstance(value, list):
        return any(holds_secret(item) for item in value)
    return isinstance(value, Secret)


def holds_unknown(value: Any) -> bool:
    """Whether a value is unknown or has something unknown below."""
    if isinstance(value, Secret):
        return holds_unknown(value.value)
    if isinstance(value, Mapping):
        return any(holds_unknown(item) for item in value.values())
    if isinstance(value, list):
        return any(holds_unknown(item) for item in value)
    return value is UNKNOWN


def wrapped_like(outputs: Mapping[str, Any], inputs: Mapping[str, Any]) -> Properties:
    """Return outputs in which everything that was secret as an input of the same name is secret again.

    An output that repeats its input keeps the input's own wrappers; one that differs, such as a digest, becomes
    secret as a whole.
    """
    wrapped: Properties = dict(outputs)
    for name, given in inputs.items():
        if name in wrapped and holds_secret(given):
            same = revealed(wrapped[name]) == revealed(given)
            wrapped[name] = given if same else Secret(revealed(wrapped[name]))
    return wrapped
