"""How a server of the stand-in for k3s becomes a member of etcd."""

from pathlib import Path

import pytest

from tests.k3s.program import membership
from tests.k3s.program.etcd import Etcd, Member
from tests.k3s.program.paths import Layout
from tests.k3s.program.refusal import Refusal

FIRST = Member("1", "s1-0a", "https://10.0.1.11:2380", "https://10.0.1.11:2379", learns=False)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    peers: list[str] = []

    class FakeEtcd:
        def __init__(self, layout: Layout, base: str) -> None:
            assert base == FIRST.client

        def unhealthy(self) -> str | None:
            return None

        def add(self, peer: str) -> None:
            peers.append(peer)

    monkeypatch.setattr(membership, Etcd.__name__, FakeEtcd)
    return peers


def test_a_new_server_is_added_as_a_learner_of_the_others(tmp_path: Path, added: list[str]) -> None:
    assert membership.enter(Layout(tmp_path), "s2", "10.0.1.12", [FIRST]) == [FIRST]
    assert added == ["https://10.0.1.12:2380"]


def test_one_that_was_added_and_never_started_is_not_added_again(tmp_path: Path, added: list[str]) -> None:
    half = Member("2", "", "https://10.0.1.12:2380", "", learns=True)
    assert membership.enter(Layout(tmp_path), "s2", "10.0.1.12", [FIRST, half]) == [FIRST]
    assert added == []


def test_a_name_that_another_address_has_is_refused(tmp_path: Path, added: list[str]) -> None:
    with pytest.raises(Refusal, match="duplicate node name found"):
        membership.enter(Layout(tmp_path), "s1", "10.0.1.12", [FIRST])


def test_a_server_that_lost_its_data_is_told_to_leave_first(tmp_path: Path, added: list[str]) -> None:
    with pytest.raises(Refusal, match="kubectl delete node s1"):
        membership.enter(Layout(tmp_path), "s1", "10.0.1.11", [FIRST])
    assert added == []


def test_the_members_name_is_the_nodes_with_something_random_and_stays(tmp_path: Path) -> None:
    name = membership.member_name(Layout(tmp_path), "s-1")
    assert Member("1", name, "", "", learns=False).node == "s-1"
    assert membership.member_name(Layout(tmp_path), "s-1") == name
