"""Where the cache lies."""

from pathlib import Path

import pytest

from local.cache import images_root, tools_root


def test_the_cache_follows_the_users_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tools_root() == tmp_path / "rakazo-infra" / "tools"
    assert images_root() == tmp_path / "rakazo-infra" / "images"


def test_without_a_setting_the_cache_is_in_the_home_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tools_root() == tmp_path / ".cache" / "rakazo-infra" / "tools"
    assert images_root() == tmp_path / ".cache" / "rakazo-infra" / "images"
