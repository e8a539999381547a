"""The way in."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from stacks.base import Model

NodePort = Annotated[int, Field(ge=30000, le=32767)]


class NodePortEdge(Model):
    """A port on every node, without TLS: for a laptop, CI, or behind a proxy of one's own."""

    kind: Literal["node-port"]
    """Which way in this is."""
    web: NodePort = 30173
    """Port of web, for people."""
    api: NodePort = 30100
    """Port of api, for `/health` only."""

    @model_validator(mode="after")
    def _ports_differ(self) -> Self:
        if self.web == self.api:
            raise ValueError("web and api have the same port; give each its own in 30000-32767")
        return self


Edge = Annotated[NodePortEdge, Field(discriminator="kind")]
