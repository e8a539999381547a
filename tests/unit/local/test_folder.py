"""A cluster's folder: names, identities and the lock."""

from pathlib import Path

import pytest

from local.cluster import Facts
from local.cluster.folder import ClusterFolder, names
from local.failure import LocalError

FACTS = Facts(name="a", id="0", api_port=1, door_port=2, fingerprint="f", images={}, addresses={})


@pytest.mark.parametrize("name", ["", "-a", "a-", "Default", "a_b", "a/b", "..", "a" * 31])
def test_a_name_that_no_folder_or_group_could_carry_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(LocalError, match="--name default"):
        ClusterFolder(name)


def test_clusters_of_the_same_name_in_two_checkouts_have_different_ids(tmp_path: Path) -> None:
    one, other = ClusterFolder("a", tmp_path / "one"), ClusterFolder("a", tmp_path / "other")
    assert one.id != other.id
    assert one.id == ClusterFolder("a", tmp_path / "one").id
    assert one.id != ClusterFolder("b", tmp_path / "one").id


def test_a_cluster_is_changed_by_one_run_at_a_time_and_the_lock_leaves_nothing(tmp_path: Path) -> None:
    folder = ClusterFolder("a", tmp_path / "local")
    with folder.locked(), pytest.raises(LocalError, match="another run"), folder.locked():
        pass
    with folder.locked():
        assert folder.root.exists()
    assert not folder.root.exists()


def test_facts_are_read_as_they_were_saved_and_broken_ones_are_none(tmp_path: Path) -> None:
    folder = ClusterFolder("a", tmp_path)
    assert folder.facts() is None
    folder.path.mkdir()
    folder.save(FACTS)
    assert folder.facts() == FACTS
    (folder.path / "cluster.json").write_text("{}")
    assert folder.facts() is None


def test_clusters_are_found_by_folder_or_by_name_alone_and_the_end_of_the_last_leaves_nothing(tmp_path: Path) -> None:
    root = tmp_path / "local"
    killed, deleted = ClusterFolder("killed-early", root), ClusterFolder("deleted", root)
    killed.path.mkdir(parents=True)
    (root / ".uv").mkdir()
    deleted.remember()
    assert names(root) == ["deleted", "killed-early"]
    assert deleted.known
    deleted.remove()
    killed.remove()
    assert names(root) == []
    assert [entry.name for entry in root.iterdir()] == [".uv"]
