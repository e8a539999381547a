"""The tokens with which machines join a cluster."""

import hashlib
import hmac


def agent_token(cluster_token: str) -> str:
    """Return the token for agents: made from the servers' one, from which nobody gets back to it."""
    return hmac.new(cluster_token.encode(), b"rakazo-infra agent", hashlib.sha256).hexdigest()


def pinned(token: str, authority: str, user: str) -> str:
    """Return a token with the digest of the cluster's authority, so that it is shown to no other server.

    `authority` is 64 hexadecimal digits; `user` is `server` or `node`, whichever k3s lets in with this token.
    """
    return f"K10{authority}::{user}:{token}"
