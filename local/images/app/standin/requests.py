"""Reading the JSON body of a request."""

import json
from typing import Any

from aiohttp import web


async def json_body(request: web.Request) -> dict[str, Any]:
    """Return the body as an object.

    Raises:
        web.HTTPBadRequest: it is no JSON object.

    """
    try:
        body = json.loads(await request.text() or "{}")
    except ValueError as error:
        raise refused(400, f"the body is no JSON: {error}") from error
    if not isinstance(body, dict):
        raise refused(400, "the body has to be a JSON object")
    return body


def text_field(body: dict[str, Any], name: str) -> str:
    """Return a text that has to be there.

    Raises:
        web.HTTPBadRequest: it is missing, empty or no text.

    """
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise refused(400, f"{name} is missing or no text")
    return value


def command_field(body: dict[str, Any]) -> list[str]:
    """Return `command`, a list of words.

    Raises:
        web.HTTPBadRequest: it is anything else.

    """
    command = body.get("command")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise refused(400, 'command has to be a list of words, as ["uname", "-a"]')
    return command


def refused(status: int, message: str, code: str | None = None) -> web.HTTPException:
    """Return an error answer with a JSON body."""
    kinds: dict[int, type[web.HTTPException]] = {
        400: web.HTTPBadRequest,
        401: web.HTTPUnauthorized,
        403: web.HTTPForbidden,
        404: web.HTTPNotFound,
        409: web.HTTPConflict,
        422: web.HTTPUnprocessableEntity,
        429: web.HTTPTooManyRequests,
    }
    body = {"message": message, **({"code": code} if code else {})}
    return kinds[status](text=json.dumps(body), content_type="application/json")
