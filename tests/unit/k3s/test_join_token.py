"""Tokens of the stand-in for k3s: their two forms, where a server keeps them, and what they are compared with."""

import hashlib
from pathlib import Path

import pytest

from tests.k3s.program.join_token import Token, credentials
from tests.k3s.program.paths import Layout
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.server_token import ServerToken

AUTHORITY = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
HASH = hashlib.sha256(AUTHORITY.encode()).hexdigest()


def test_the_short_form_is_the_password_and_trusts_every_cluster() -> None:
    token = Token.parse("pass:word")
    assert (token.password, token.user) == ("pass:word", "")
    token.check("any certificate")


def test_the_full_form_names_the_cluster_and_the_user() -> None:
    token = Token.parse(f"K10{HASH}::node:pass:word")
    assert (token.password, token.user) == ("pass:word", "node")
    token.check(AUTHORITY)
    assert token.full(AUTHORITY, "node") == f"K10{HASH}::node:pass:word"


def test_another_cluster_than_the_named_one_is_refused() -> None:
    with pytest.raises(Refusal, match="token CA hash does not match the Cluster CA certificate hash"):
        Token.parse(f"K10{'0' * 64}::server:x").check(AUTHORITY)


@pytest.mark.parametrize("text", ["K10abc::server:x", f"K10{HASH}:server:x", f"K10{HASH}::server:", "K10"])
def test_a_damaged_full_form_is_no_short_one(text: str) -> None:
    with pytest.raises(Refusal, match="begins with K10"):
        Token.parse(text)


def test_the_header_is_read_as_it_is_written() -> None:
    assert credentials(Token("a:b").header("node")) == ("node", "a:b")
    assert credentials(Token("p", "server").header("node")) == ("server", "p")
    assert credentials("Bearer abc") == ("", "")
    assert credentials("Basic !") == ("", "")


def test_a_server_writes_its_token_where_others_read_it(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    token = ServerToken(layout, "secret", "")
    token.settle(AUTHORITY)
    for file in (layout.token, layout.node_token, layout.agent_token):
        assert file.read_text() == f"K10{HASH}::server:secret\n"
    assert layout.token.stat().st_mode & 0o777 == 0o600


def test_agents_may_have_a_token_of_their_own(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    ServerToken(layout, "secret", "of the agents").settle(AUTHORITY)
    assert layout.agent_token.read_text() == f"K10{HASH}::node:of the agents\n"


def test_a_server_without_a_token_makes_one_and_keeps_it(tmp_path: Path) -> None:
    first = ServerToken(Layout(tmp_path), "", "")
    first.settle(AUTHORITY)
    second = ServerToken(Layout(tmp_path), "", "")
    second.settle(AUTHORITY)
    assert len(first.current.password) == 32
    assert second.current.password == first.current.password


def test_a_first_server_cannot_know_its_authority_beforehand(tmp_path: Path) -> None:
    token = ServerToken(Layout(tmp_path), f"K10{'0' * 64}::server:secret", "")
    with pytest.raises(Refusal, match="token CA hash does not match"):
        token.settle(AUTHORITY)
