"""The address of the database, with a login in it."""

from urllib.parse import quote

from components.kubernetes import names
from components.rakazo.services import DATABASE


def render_database_url(login: str, password: str) -> str:
    """Return a URL that any password survives: `@ : / # ? %` would otherwise end a part of it."""
    return f"postgres://{login}:{quote(password, safe='')}@{names.POSTGRES}:{names.POSTGRES_PORT}/{DATABASE}"
