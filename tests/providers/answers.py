"""How an answer that is no success is put on the wire: always with a definite code.

With an indefinite one the engine no longer knows whether the resource exists.
"""

import functools
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import grpc  # type: ignore[import-untyped]
from google.protobuf import any_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import provider_pb2, status_pb2

from tests.providers.refused import MissingConfigurationError, RefusedError
from tests.providers.values import Properties, encode

_CODE = grpc.StatusCode.FAILED_PRECONDITION
_DETAILS = "grpc-status-details-bin"

Method = Callable[[Any, Any, Any], Any]


def answering(method: Method) -> Method:
    """Make of a servicer's method one whose exceptions become definite answers.

    A mistake of the stand-in's own is kept with its traceback in the servicer's `faults`; its text may hold a secret,
    so the operator is told the place only.
    """

    @functools.wraps(method)
    def answer(self: Any, request: Any, context: Any) -> Any:
        try:
            return method(self, request, context)
        except RefusedError as refusal:
            message = str(refusal)
        except MissingConfigurationError as missing:
            missing_configuration(context, missing)
        except Exception as error:
            if context.code() is not None:  # an answer of `unfinished`, on its way out
                raise
            self.faults.append(traceback.format_exc())
            where = traceback.extract_tb(error.__traceback__)[-1]
            message = f"the stand-in failed: {type(error).__name__} at {Path(where.filename).name}:{where.lineno}"
        context.abort(_CODE, message)
        return None

    return answer


def missing_configuration(context: Any, missing: MissingConfigurationError) -> NoReturn:
    """Say which configuration key is missing; the CLI prints the command that sets it."""
    key = provider_pb2.ConfigureErrorMissingKeys.MissingKey(name=missing.key, description=missing.description)
    _abort(context, "missing configuration", provider_pb2.ConfigureErrorMissingKeys(missingKeys=[key]))


def unfinished(context: Any, *, resource_id: str, inputs: Properties, outputs: Properties, reason: str) -> NoReturn:
    """Say that a resource exists and is not what was asked for."""
    detail = provider_pb2.ErrorResourceInitFailed(
        id=resource_id, inputs=encode(inputs), properties=encode(outputs), reasons=[reason]
    )
    _abort(context, reason, detail)


def _abort(context: Any, message: str, detail: Any) -> NoReturn:
    packed = any_pb2.Any()
    packed.Pack(detail)
    status = status_pb2.Status(code=_CODE.value[0], message=message, details=[packed])
    context.set_trailing_metadata(((_DETAILS, status.SerializeToString()),))
    context.abort(_CODE, message)
    raise AssertionError("abort raises")
