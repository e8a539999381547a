"""`/api/auth/…`: accounts and sessions behind rate limit, origin check and allow-list."""

import secrets
import time
import uuid
from typing import Any

from aiohttp import web

from . import database, log, sessions
from .origins import origin_refused, sign_up_refusal
from .rate_limit import WINDOW, RateLimit, client_of
from .requests import json_body, refused, text_field
from .settings import ApiSettings

LARGEST_BODY = 64 << 10
SHORTEST_PASSWORD = 8


class Accounts:
    """The sign-in routes of one api process."""

    def __init__(self, settings: ApiSettings, pool: Any) -> None:
        self._settings = settings
        self._pool = pool
        self._limit = RateLimit(time.monotonic)
        self._cookie = sessions.cookie_name(settings.base_url)

    @web.middleware
    async def guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Apply rate limit, body limit and origin check to everything below `/api/auth/`."""
        if not request.path.startswith("/api/auth/"):
            answer: web.StreamResponse = await handler(request)
            return answer
        client = client_of(request.headers.getall("X-Forwarded-For", []))
        if self._limit.first_warning(client):
            log.complain(
                "api",
                "a call without exactly one X-Forwarded-For address; all such callers share one rate limit",
            )
        if not self._limit.allows(client, request.path):
            raise refused(429, f"too many calls of {request.path}; try again in {WINDOW:g} s")
        if (request.content_length or 0) > LARGEST_BODY:
            raise web.HTTPRequestEntityTooLarge(LARGEST_BODY, request.content_length or 0)
        origin, cookie = request.headers.get("Origin"), request.headers.get("Cookie")
        if request.method == "POST" and origin_refused(origin, cookie, self._settings.origins):
            raise refused(403, f"origin {origin} is not trusted", "INVALID_ORIGIN")
        guarded: web.StreamResponse = await handler(request)
        return guarded

    async def ok(self, _request: web.Request) -> web.Response:
        """Answer `/api/auth/ok`."""
        return web.json_response({"ok": True})

    async def sign_up(self, request: web.Request) -> web.Response:
        """Make an account and sign it in."""
        body = await json_body(request)
        email, name = text_field(body, "email").lower(), text_field(body, "name")
        password = text_field(body, "password")
        if "@" not in email or len(password) < SHORTEST_PASSWORD:
            raise refused(400, f"an address and a password of at least {SHORTEST_PASSWORD} characters are needed")
        why = sign_up_refusal(email, signups_open=self._settings.signups_open, allow_list=self._settings.allow_list)
        if why:
            raise refused(400, why)
        account = uuid.uuid4()
        try:
            await self._pool.execute(
                "INSERT INTO account (id, email, name, password) VALUES ($1, $2, $3, $4)",
                account,
                email,
                name,
                sessions.password_record(password),
            )
        except database.Duplicate as error:
            raise refused(422, "this address has an account already") from error
        return await self._signed_in(account, email, name)

    async def sign_in(self, request: web.Request) -> web.Response:
        """Sign an account in."""
        body = await json_body(request)
        email, password = text_field(body, "email").lower(), text_field(body, "password")
        row = await self._pool.fetchrow("SELECT * FROM account WHERE email = $1", email)
        if row is None or not sessions.password_matches(password, row["password"]):
            raise refused(401, "wrong address or password")
        return await self._signed_in(row["id"], email, row["name"])

    async def sign_out(self, request: web.Request) -> web.Response:
        """End the session."""
        token = sessions.token_of(request.cookies.get(self._cookie), self._settings.auth_secret)
        await self._pool.execute("DELETE FROM session WHERE token = $1", token or "")
        answer = web.json_response({"success": True})
        answer.del_cookie(self._cookie)
        return answer

    async def session(self, request: web.Request) -> web.Response:
        """Answer who is signed in, or null; the database is asked only when a valid cookie comes."""
        token = sessions.token_of(request.cookies.get(self._cookie), self._settings.auth_secret)
        if token is None:
            return web.json_response(None)
        row = await self._pool.fetchrow(
            "SELECT account.id, email, name FROM session JOIN account ON account.id = session.account"
            " WHERE token = $1 AND expires > now()",
            token,
        )
        return web.json_response(row and {"user": _user(row["id"], row["email"], row["name"])})

    async def _signed_in(self, account: uuid.UUID, email: str, name: str) -> web.Response:
        token = secrets.token_hex(24)
        await self._pool.execute(
            "INSERT INTO session (token, account, expires) VALUES ($1, $2, now() + $3 * interval '1 second')",
            token,
            account,
            sessions.SECONDS,
        )
        answer = web.json_response({"token": token, "user": _user(account, email, name)})
        answer.set_cookie(
            self._cookie,
            sessions.signed(token, self._settings.auth_secret),
            max_age=sessions.SECONDS,
            httponly=True,
            samesite="Lax",
            secure=self._settings.base_url.startswith("https://"),
        )
        return answer


def add_routes(app: web.Application, settings: ApiSettings, pool: Any) -> None:
    """Add the sign-in routes and their guard."""
    accounts = Accounts(settings, pool)
    app.middlewares.append(accounts.guard)
    app.router.add_get("/api/auth/ok", accounts.ok)
    app.router.add_get("/api/auth/get-session", accounts.session)
    app.router.add_post("/api/auth/sign-up/email", accounts.sign_up)
    app.router.add_post("/api/auth/sign-in/email", accounts.sign_in)
    app.router.add_post("/api/auth/sign-out", accounts.sign_out)


def _user(account: uuid.UUID, email: str, name: str) -> dict[str, str]:
    return {"id": str(account), "email": email, "name": name}
