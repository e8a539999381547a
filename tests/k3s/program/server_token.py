"""The token of a server: from the configuration or from an earlier start, and where others find it."""

from tests.k3s.program import join_token
from tests.k3s.program.join_token import NODE_USER, SERVER_USER, Token
from tests.k3s.program.paths import Layout, write
from tests.k3s.program.refusal import Refusal


class ServerToken:
    """The server token and, when there is one of its own, the agents'."""

    def __init__(self, layout: Layout, given: str, given_agent: str) -> None:
        """Read what is given or was kept; Refusal when it is no token."""
        self._layout = layout
        self._agent = Token.parse(given_agent) if given_agent else None
        kept = layout.token.read_text(encoding="utf-8").strip() if layout.token.exists() else ""
        self.wanted: Token | None = Token.parse(given or kept) if given or kept else None
        """None before a first start without a token."""
        if self.wanted and not self.wanted.password:
            raise Refusal("token: is empty")

    @property
    def current(self) -> Token:
        """The token, after settle."""
        assert self.wanted is not None, "settle comes first"
        return self.wanted

    def settle(self, authority: str) -> None:
        """Make the token if there is none and write it where k3s writes it.

        Refusal when the token is of another cluster than the one with this CA certificate (PEM).
        """
        if self.wanted is None:
            self.wanted = Token(join_token.new_password())
        self.wanted.check(authority)
        self._write(authority)

    def replace(self, new: Token, authority: str) -> None:
        """Take another token from now on."""
        self.wanted = new
        self._write(authority)

    def _write(self, authority: str) -> None:
        layout = self._layout
        write(layout.token, self.current.full(authority, SERVER_USER) + "\n")
        layout.node_token.unlink(missing_ok=True)
        layout.node_token.symlink_to(layout.token)
        layout.agent_token.unlink(missing_ok=True)
        if self._agent is None:
            layout.agent_token.symlink_to(layout.token)
        else:
            write(layout.agent_token, self._agent.full(authority, NODE_USER) + "\n")
