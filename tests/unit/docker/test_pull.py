"""The step that has every image on the machine before anything is changed for it."""

import pytest

from tests.unit.docker.conftest import APP, Bench

POSTGRES = "registry.test/postgres@sha256:1"


def answering(bench: Bench, pull: str) -> None:
    bench.machine.program("docker", f'case "$*" in "image inspect"*) exit 1 ;; pull*) {pull} ;; esac')


def test_what_is_missing_is_pulled_and_remembered(bench: Bench) -> None:
    answering(bench, "echo done")
    assert bench.step("pull") == "every image is on rakazo-1\n"
    assert bench.machine.calls("docker pull") == [
        f"docker pull --quiet {POSTGRES}",
        f"docker pull --quiet {APP}",
    ]
    assert bench.machine.text("/var/lib/rakazo-infra/images") == f"{POSTGRES}\n{APP}\n"


def test_what_is_there_is_neither_pulled_nor_taken_away_later(bench: Bench) -> None:
    """An image that somebody else's containers use was there before."""
    bench.machine.program("docker", "")
    bench.step("pull")
    assert bench.machine.calls("docker pull") == []
    assert not bench.machine.path("/var/lib/rakazo-infra/images").exists()


def test_what_was_killed_in_between_is_remembered_too(bench: Bench) -> None:
    """A destroy would miss an image that had come and was not written down."""
    answering(bench, "kill $PPID")
    bench.machine.step("pull", "digest")
    assert bench.machine.text("/var/lib/rakazo-infra/images") == f"{POSTGRES}\n"


def test_a_registry_that_stumbles_is_asked_again(bench: Bench) -> None:
    mark = bench.machine.path("/asked")
    answering(bench, f"[ -e {mark} ] || {{ touch {mark}; echo 'i/o timeout' >&2; exit 1; }}")
    bench.step("pull")
    assert len(bench.machine.calls("docker pull")) == 3


@pytest.mark.parametrize("said", ["manifest unknown", "repository does not exist: denied", "unauthorized"])
def test_an_image_that_is_not_to_be_had_is_told_at_once_with_what_to_look_at(bench: Bench, said: str) -> None:
    answering(bench, f"echo '{said}' >&2; exit 1")
    told = bench.step("pull", fails=True)
    assert f"{POSTGRES} cannot be had: {said}" in told
    assert "digest under images" in told
    assert len(bench.machine.calls("docker pull")) == 1
