"""Where the embedded Kubernetes cannot run, and what a person is told."""

import os
import platform
import sys
from collections.abc import Callable

import pytest

from local.failure import LocalError
from local.host import require_host
from local.images.roots import sources
from operations.local_stack import deploy, images


@pytest.fixture(autouse=True)
def suitable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which it runs, whichever one the tests are on; each test takes one thing away."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    release = {"ID": "debian", "VERSION_CODENAME": "bookworm", "PRETTY_NAME": "Debian GNU/Linux 12 (bookworm)"}
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)


def test_debian_on_x86_64_as_root_is_suitable() -> None:
    require_host()


def test_without_root_the_error_names_the_existing_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(LocalError, match=r"root.*`existing` target"):
        require_host()


def test_on_another_system_the_error_names_it_and_the_existing_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(LocalError, match=r"Linux, this is darwin.*`existing` target"):
        require_host()


def test_on_another_processor_the_error_names_it_and_the_existing_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(LocalError, match=r"x86-64 processor, this one is aarch64.*`existing` target"):
        require_host()


def test_on_another_distribution_the_error_names_it_and_the_existing_target(monkeypatch: pytest.MonkeyPatch) -> None:
    release = {"ID": "fedora", "PRETTY_NAME": "Fedora Linux 44"}
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)
    for look in (require_host, sources):
        with pytest.raises(LocalError, match=r"this is Fedora Linux 44.*`existing` target"):
            look()


def test_a_system_that_does_not_say_what_it_is_is_told_so_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> dict[str, str]:
        raise FileNotFoundError("no os-release")

    monkeypatch.setattr(platform, "freedesktop_os_release", missing)
    with pytest.raises(LocalError, match=r"a system without /etc/os-release.*`existing` target"):
        require_host()


@pytest.mark.parametrize("verb", [images, deploy], ids=lambda verb: verb.__name__)
def test_verbs_that_would_build_first_look_at_the_machine_first(
    verb: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(*_: object) -> None:
        raise AssertionError("it began to build")

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("local.images.ensure", build)
    with pytest.raises(LocalError, match="needs root"):
        verb()
