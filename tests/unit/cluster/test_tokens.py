"""What machines join with."""

from components.k3s.tokens import agent_token, pinned

TOKEN = "56789abcdef01234" * 4


def test_agents_have_a_token_from_which_nobody_gets_to_the_servers() -> None:
    made = agent_token(TOKEN)
    assert len(made) == 64
    assert made != TOKEN
    assert made == agent_token(TOKEN)
    assert made != agent_token(TOKEN[::-1])


def test_a_token_names_the_only_cluster_that_it_may_be_shown_to() -> None:
    assert pinned(TOKEN, "ab" * 32, "server") == f"K10{'ab' * 32}::server:{TOKEN}"
