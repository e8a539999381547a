"""Which address families a cluster gets, and what it is told when it cannot."""

from pathlib import Path

import pytest

from local.cluster import family
from local.cluster.family import DUAL_STACK, SINGLE_STACK, kept_or_chosen
from local.failure import LocalError


@pytest.fixture(autouse=True)
def kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Stand in for the kernel's IPv6: it is there while this folder is."""
    monkeypatch.setattr(family, "IPV6_OF_KERNEL", tmp_path)
    return tmp_path


def test_a_new_cluster_gets_what_is_asked_for() -> None:
    assert kept_or_chosen("x", has=None, wants=False) == SINGLE_STACK
    assert kept_or_chosen("x", has=None, wants=True) == DUAL_STACK


def test_a_repair_without_the_option_keeps_both_families() -> None:
    assert kept_or_chosen("x", has=True, wants=False) == DUAL_STACK


def test_a_cluster_with_ipv4_alone_says_how_to_get_both() -> None:
    with pytest.raises(
        LocalError, match=r"cluster x was started with IPv4 alone .*down --name x.*up --name x --dual-st"
    ):
        kept_or_chosen("x", has=False, wants=True)
    assert kept_or_chosen("x", has=False, wants=False) == SINGLE_STACK


def test_a_kernel_without_ipv6_is_named_before_anything_starts(kernel: Path) -> None:
    kernel.rmdir()
    with pytest.raises(LocalError, match=r"--dual-stack: this machine's kernel runs without IPv6"):
        kept_or_chosen("x", has=None, wants=True)
    assert kept_or_chosen("x", has=None, wants=False) == SINGLE_STACK
