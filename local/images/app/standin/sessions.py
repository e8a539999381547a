"""Passwords and the signed cookie that names a session."""

import hashlib
import hmac
import os

DAYS = 7
SECONDS = DAYS * 24 * 3600


def password_record(password: str) -> str:
    """Return what is stored of a password."""
    salt = os.urandom(16)
    return f"{salt.hex()}:{_derived(password, salt).hex()}"


def password_matches(password: str, record: str) -> bool:
    """Tell whether `record` was made from `password`."""
    salt, _, derived = record.partition(":")
    return hmac.compare_digest(_derived(password, bytes.fromhex(salt)).hex(), derived)


def cookie_name(base_url: str) -> str:
    """Return the cookie's name; behind https browsers keep a `__Secure-` cookie to https."""
    prefix = "__Secure-" if base_url.startswith("https://") else ""
    return f"{prefix}rakazo-stand-in.session_token"


def signed(token: str, secret: str) -> str:
    """Return the cookie's value; changing BETTER_AUTH_SECRET signs everybody out."""
    return f"{token}.{hmac.new(secret.encode(), token.encode(), hashlib.sha256).hexdigest()}"


def token_of(value: str | None, secret: str) -> str | None:
    """Return the session's token, or None when the cookie is absent or not ours."""
    token = (value or "").rpartition(".")[0]
    if not token or not hmac.compare_digest(signed(token, secret).encode(), (value or "").encode()):
        return None
    return token


def _derived(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**13, r=8, p=1)
