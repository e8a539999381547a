"""Releases of k3s: their names, their order, and from which one on something holds."""

import pytest

from tests.k3s.program.refusal import Refusal
from tests.k3s.program.release import Release


@pytest.mark.parametrize("name", ["1.36.2+k3s1", "v1.36+k3s1", "v1.36.2", "v1.36.2-k3s1", "latest", ""])
def test_what_is_no_release_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match="is no release of k3s"):
        Release.parse(name)


def test_releases_are_ordered_by_number_and_not_by_text() -> None:
    names = ["v1.33.10+k3s1", "v1.34.9+k3s1", "v1.34.9+k3s2", "v1.34.10+k3s1", "v1.36.2+k3s1"]
    assert [str(release) for release in sorted(Release.parse(name) for name in reversed(names))] == names


@pytest.mark.parametrize(
    ("name", "imports", "second"),
    [
        ("v1.30.14+k3s1", False, False),
        ("v1.31.5+k3s1", False, False),
        ("v1.31.6+k3s1", False, True),
        ("v1.32.2+k3s1", False, True),
        ("v1.33.5+k3s1", False, True),
        ("v1.34.5+k3s1", False, True),
        ("v1.34.6+k3s1", True, True),
        ("v1.35.2+k3s1", False, True),
        ("v1.35.6+k3s1", True, True),
        ("v1.36.0+k3s1", True, True),
    ],
)
def test_drop_ins_and_containerd_2_came_with_certain_releases(name: str, imports: bool, second: bool) -> None:
    release = Release.parse(name)
    assert (release.imports_drop_ins, release.has_containerd_2) == (imports, second)
