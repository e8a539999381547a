"""Process records: only the very process that was recorded is ever signalled."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from local.machines.records import ProcessRecord, read_all


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def record_of(process: subprocess.Popen[bytes]) -> ProcessRecord:
    return ProcessRecord.of(process.pid, name="sleep", machine="system", log="log")


def test_a_recorded_process_is_ended(sleeper: subprocess.Popen[bytes]) -> None:
    record = record_of(sleeper)
    assert record.alive
    assert record.end()
    assert not record.alive


def test_a_process_under_a_reused_number_is_not_touched(sleeper: subprocess.Popen[bytes]) -> None:
    record = record_of(sleeper)
    for reused in (replace(record, started=record.started - 1), replace(record, boot="an earlier one")):
        assert not reused.alive
        assert reused.end()
    assert sleeper.poll() is None
    assert record.alive


def test_waiting_ends_with_the_recorded_process_and_not_before(sleeper: subprocess.Popen[bytes]) -> None:
    record = record_of(sleeper)
    replace(record, started=record.started - 1).wait()  # that one has ended long ago
    waiting = Thread(target=record.wait, daemon=True)
    waiting.start()
    assert record.alive
    assert waiting.is_alive()
    sleeper.kill()
    waiting.join(5.0)
    assert not waiting.is_alive()


def test_a_zombie_counts_as_dead() -> None:
    process = subprocess.Popen(["true"])
    record = record_of(process)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not record.alive
    process.wait()


def test_records_survive_writing_and_half_written_ones_are_passed_over(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    record = record_of(sleeper)
    record.write(tmp_path / "system.sleep.json")
    (tmp_path / "broken.json").write_text('{"name": "x"')
    (tmp_path / "other.json").write_text('{"name": "x"}')
    assert read_all(tmp_path) == [record]
