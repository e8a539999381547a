"""DATA_DIR is proven at the start: writable, and the same for api and worker. Volumes are the engine tier's."""

import asyncio
import os
from pathlib import Path

import pytest

from local.images.app.standin import data_folder
from local.images.app.standin.refusals import RefusalError

from .fake_pool import FakePool


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_folder, "POLL_SECONDS", 0.01)


def refusal(data: Path, pool: FakePool) -> str:
    with pytest.raises(RefusalError) as refused:
        asyncio.run(data_folder.require_shared(data, pool, seconds=0.05))
    return str(refused.value)


def test_a_writable_folder_is_accepted_and_left_as_it_was(tmp_path: Path) -> None:
    data_folder.require_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_keeps_api_and_worker_from_starting(tmp_path: Path) -> None:
    """B105: the published services start, and lose what they save."""
    missing = tmp_path / "missing"
    with pytest.raises(RefusalError, match=f"DATA_DIR {missing} is not writable for uid {os.getuid()}"):
        data_folder.require_writable(missing)
    with pytest.raises(RefusalError, match="mount the shared volume there"):
        asyncio.run(data_folder.mark(missing, FakePool()))


def test_a_worker_that_shares_apis_folder_starts(tmp_path: Path) -> None:
    """B105: the allow twin of every refusal below."""
    pool = FakePool()
    asyncio.run(data_folder.mark(tmp_path, pool))
    asyncio.run(data_folder.require_shared(tmp_path, pool, seconds=0.05))
    assert [path.name for path in tmp_path.iterdir()] == [data_folder.MARKER]


def test_a_worker_with_a_volume_of_its_own_is_refused(tmp_path: Path) -> None:
    """B105: its files would never reach api."""
    pool = FakePool()
    (tmp_path / "api").mkdir()
    (tmp_path / "worker").mkdir()
    asyncio.run(data_folder.mark(tmp_path / "api", pool))
    why = refusal(tmp_path / "worker", pool)
    assert f"DATA_DIR {tmp_path / 'worker'} is not shared with api" in why
    assert "cannot be read" in why


def test_a_worker_with_the_volume_of_another_installation_is_refused(tmp_path: Path) -> None:
    """B105: two databases, two markers."""
    pool = FakePool()
    asyncio.run(data_folder.mark(tmp_path, pool))
    asyncio.run(data_folder.mark(tmp_path, FakePool()))
    assert "is not shared with api, after 0.05 s: it holds the marker of another api" in refusal(tmp_path, pool)


@pytest.mark.parametrize(("migrated", "why"), [(False, "is not migrated"), (True, "start api first")])
def test_a_worker_before_any_api_is_refused_with_what_to_start(tmp_path: Path, migrated: bool, why: str) -> None:
    """B109: migrate before api before worker."""
    pool = FakePool()
    pool.migrated = migrated
    assert why in refusal(tmp_path, pool)


def test_a_worker_waits_for_an_api_that_is_about_to_start(tmp_path: Path) -> None:
    """A pod may be restarted with its node, in any order."""
    pool = FakePool()

    async def both() -> bool:
        waiting = asyncio.ensure_future(data_folder.require_shared(tmp_path, pool))
        await asyncio.sleep(0.03)
        early = waiting.done()
        await data_folder.mark(tmp_path, pool)
        await waiting
        return early

    assert asyncio.run(both()) is False


def test_an_api_that_starts_again_marks_the_folder_anew(tmp_path: Path) -> None:
    pool = FakePool()
    asyncio.run(data_folder.mark(tmp_path, pool))
    first = pool.marker
    asyncio.run(data_folder.mark(tmp_path, pool))
    assert pool.marker != first
    asyncio.run(data_folder.require_shared(tmp_path, pool, seconds=0.05))
