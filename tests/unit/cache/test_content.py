"""What of a folder decides about what is built from it."""

from pathlib import Path

from local.cache.content import content


def test_a_changed_file_or_execute_bit_is_another_fact(tmp_path: Path) -> None:
    (tmp_path / "start").write_text("echo one")
    before = list(content(tmp_path))
    (tmp_path / "start").chmod(0o755)
    executable = list(content(tmp_path))
    (tmp_path / "start").write_text("echo two")
    changed = list(content(tmp_path))
    assert len({*before, *executable, *changed}) == 3


def test_byte_code_is_no_fact(tmp_path: Path) -> None:
    (tmp_path / "start").write_text("echo one")
    before = list(content(tmp_path))
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "start.pyc").write_text("compiled")
    assert list(content(tmp_path)) == before
