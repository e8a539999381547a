"""The way in."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from stacks.base import Model

NodePort = Annotated[int, Field(ge=30000, le=32767)]


class NodePortEdge(Model):
    """A port on every node, without TLS: for a laptop, CI, or behind a proxy of one's own.

    A node port limits no body, and whoever calls it says in X-Forwarded-For who he is, by which Rakazo counts
    attempts to sign in. Where strangers can reach the nodes, let in only a proxy that limits and overwrites both.
    """

    kind: Literal["node-port"]
    """Which way in this is."""
    web: NodePort = 30173
    """Port of web, for people. Web forwards every path below /api and /rpc to api, also /api/internal, which api
    guards with a secret; a proxy in front need not let /api/internal pass."""
    api: NodePort | None = None
    """Port of api; unset: none. It opens all of api, past web: only for a proxy that lets /health alone pass, since
    web answers that path itself."""

    @model_validator(mode="after")
    def _ports_differ(self) -> Self:
        if self.web == self.api:
            raise ValueError("web and api have the same port; give each its own in 30000-32767")
        return self


class LoopbackEdge(Model):
    """A port of the machine's own loopback address, without TLS: for a proxy of one's own on that machine.

    It limits no body, and whoever calls it says in X-Forwarded-For who he is, by which Rakazo counts attempts to sign
    in: let in only a proxy that limits and overwrites both.
    """

    kind: Literal["loopback"]
    """Which way in this is. Docker opens its ports past the machine's firewall, so no other address is offered."""
    web: Annotated[int, Field(ge=1024, le=65535)] = 5173
    """Port of web, for people."""


Edge = Annotated[NodePortEdge, Field(discriminator="kind")]
