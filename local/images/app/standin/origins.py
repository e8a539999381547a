"""Who may sign in from where, and who may sign up at all."""

from urllib.parse import urlsplit

DEFAULT_PORTS = {"https": 443, "http": 80}


def same_origin(left: str, right: str) -> bool:
    """Tell whether two origins have the same scheme, host and port; a default port may be written out."""
    return _parts(left) is not None and _parts(left) == _parts(right)


def origin_refused(origin: str | None, cookie: str | None, trusted: tuple[str, ...]) -> bool:
    """Tell whether a POST is refused for its origin.

    A call with neither Origin nor Cookie comes from no browser and passes; that is upstream's rule.
    """
    if origin is None:
        return cookie is not None
    return not any(same_origin(origin, one) for one in trusted)


def sign_up_refusal(email: str, *, signups_open: bool, allow_list: tuple[str, ...]) -> str | None:
    """Return why `email` may not sign up, or None; an entry `@domain` admits that very domain."""
    if not signups_open:
        return "sign-up is closed on this deployment"
    email = email.lower()
    admitted = {email, f"@{email.rpartition('@')[2]}"}
    if allow_list and not admitted & set(allow_list):
        return "this address may not sign up on this deployment"
    return None


def _parts(origin: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname or parts.path:
        return None
    return parts.scheme, parts.hostname, port or DEFAULT_PORTS[parts.scheme]
