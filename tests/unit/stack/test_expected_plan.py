"""The reader of committed plans, which is what the engine tests of clouds compare with."""

from pathlib import Path

import pytest

from tests import expected_plan
from tests.expected_plan import check_plan, render, replaced_data


def test_a_plan_is_one_line_per_step_in_an_order_that_stays() -> None:
    text = render({"update": ["rakazo-web", "rakazo-api"], "create": ["x"]})
    assert text == "create  x\nupdate  rakazo-api\nupdate  rakazo-web\n"


def test_a_plan_without_steps_says_so() -> None:
    assert render({}) == "nothing changes\n"


@pytest.mark.parametrize("name", ["cluster", "cluster-control-plane", "rakazo-postgres", "rakazo-volumes-data"])
@pytest.mark.parametrize("operation", ["replace", "create-replacement", "delete-replaced", "delete"])
def test_no_file_makes_it_right_to_replace_a_cluster_or_a_database(
    operation: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B095."""
    monkeypatch.setattr(expected_plan, "FOLDER", tmp_path)
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "change.txt").write_text(render({operation: [name]}))
    with pytest.raises(AssertionError, match=f"change of team replaces {name}"):
        check_plan("team", "change", {operation: [name]})


def test_a_pool_or_a_job_may_be_made_anew() -> None:
    plan = {"replace": ["cluster-computers", "rakazo-migrate"], "update": ["cluster", "rakazo-postgres"]}
    assert list(replaced_data(plan)) == []


def test_another_plan_than_the_committed_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAKAZO_GOLDEN", raising=False)
    monkeypatch.setattr(expected_plan, "FOLDER", tmp_path)
    with pytest.raises(AssertionError, match="is missing"):
        check_plan("team", "change", {"update": ["rakazo-web"]})
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "change.txt").write_text("update  rakazo-web\n")
    check_plan("team", "change", {"update": ["rakazo-web"]})
    with pytest.raises(AssertionError, match="no longer what is rendered"):
        check_plan("team", "change", {"update": ["rakazo-web", "rakazo-api"]})
