"""`prisma migrate deploy` with the owner's login: tables, the app login, its rights, and the proof of them."""

import asyncio
import time
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from . import database, log, schema
from .refusals import RefusalError
from .settings import APP_LOGIN, MigrateSettings

LOCK = 7_270_736
"""Advisory lock that lets one migration run at a time; any fixed number does."""

LOCK_SECONDS = 10
LOCK_POLL = 0.25


async def migrate(settings: MigrateSettings) -> None:
    """Bring the database to the newest schema; repeating it changes nothing.

    Raises:
        RefusalError: not reachable, not the owner, or the app login can change the schema.

    """
    try:
        connection = await database.connect(settings.owner_url)
    except database.Error as error:
        raise RefusalError([f"Postgres refused the owner's login: {error}"]) from error
    try:
        await _lock(connection)
        applied = await _apply(connection)
        await _login(connection, settings.app_password)
        await connection.execute(schema.grants(APP_LOGIN))
    except database.Error as error:
        raise RefusalError([f"migration failed: {error}"]) from error
    finally:
        await connection.close()
    await _prove(settings)
    _say(f"{len(schema.MIGRATIONS)} migrations known, {len(applied)} applied now: {', '.join(applied) or 'none'}")
    _say(f"{APP_LOGIN} can read and write rows and can create nothing")


def app_url(settings: MigrateSettings) -> str:
    """Return the URL with which api and worker will come to the same database."""
    parts = urlsplit(settings.owner_url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{APP_LOGIN}:{settings.app_password}@{host}"))


async def _lock(connection: Any) -> None:
    """Take the session lock, which ends with the connection: a killed Job blocks nobody.

    Tried again instead of waited for: a waiting statement holds a snapshot, and CREATE INDEX CONCURRENTLY
    of the migration that has the lock would wait for that snapshot.
    """
    deadline = time.monotonic() + LOCK_SECONDS
    while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
        if time.monotonic() > deadline:
            raise RefusalError([f"another migration has held the lock for {LOCK_SECONDS} s"])
        await asyncio.sleep(LOCK_POLL)


async def _apply(connection: Any) -> list[str]:
    await connection.execute(schema.LEDGER)
    done = {row["migration_name"] for row in await connection.fetch("SELECT migration_name FROM _prisma_migrations")}
    pending = [one for one in schema.MIGRATIONS if one.name not in done]
    record = "INSERT INTO _prisma_migrations (migration_name) VALUES ($1)"
    for one in pending:
        if one.alone:
            await connection.execute(one.sql)
            await connection.execute(record, one.name)
            continue
        async with connection.transaction():
            await connection.execute(one.sql)
            await connection.execute(record, one.name)
    return [one.name for one in pending]


async def _login(connection: Any, password: str) -> None:
    """Create the app login or give it the current password; the password is hexadecimal, so it needs no quoting."""
    known = await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", APP_LOGIN)
    verb = "ALTER" if known else "CREATE"
    rights = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS"
    await connection.execute(f"{verb} ROLE {APP_LOGIN} {rights} PASSWORD '{password}'")


async def _prove(settings: MigrateSettings) -> None:
    try:
        connection = await database.connect(app_url(settings))
    except database.Error as error:
        raise RefusalError([f"the new login {APP_LOGIN} cannot connect: {error}"]) from error
    try:
        for statement in ("CREATE TABLE must_fail (id int)", "CREATE SCHEMA must_fail"):
            try:
                async with connection.transaction():
                    await connection.execute(statement)
                    raise RefusalError([f"{APP_LOGIN} may change the schema: {statement!r} worked"])
            except database.Denied:
                continue
        await connection.fetchval("SELECT count(*) FROM graphile_worker.jobs")
    except database.Error as error:
        raise RefusalError([f"{APP_LOGIN} lacks a right: {error}"]) from error
    finally:
        await connection.close()


def _say(line: str) -> None:
    log.say(f"rakazo stand-in migrate: {line}")
