"""Which kernel log and which release belong to which runtime."""

import pytest

from probes import kernel

GVISOR = "[    0.000000] Starting gVisor...\n[    0.354495] Daemonizing children...\n"
LINUX = "[    0.000000] Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)\n"
DENIED = "dmesg: read kernel buffer failed: Operation not permitted\n"


@pytest.mark.parametrize(
    ("runtime", "log"),
    [("gvisor", GVISOR), ("kata", LINUX), ("kata", DENIED), ("runc", LINUX), ("runc", DENIED)],
)
def test_the_kernel_that_the_settings_name_is_no_fault(runtime: kernel.Runtime, log: str) -> None:
    assert kernel.fault(runtime, log) is None


@pytest.mark.parametrize("log", [LINUX, DENIED, ""])
def test_anything_but_gvisors_own_log_is_not_gvisor_and_the_fault_shows_it(log: str) -> None:
    """B045: a log that cannot be read proves nothing, so it is a fault."""
    said = kernel.fault("gvisor", log)
    assert said is not None
    assert "the handler behind its RuntimeClass is not gVisor" in said
    assert repr(log) in said


@pytest.mark.parametrize("runtime", ["kata", "runc"])
def test_gvisor_where_the_settings_say_something_else_is_a_fault(runtime: kernel.Runtime) -> None:
    assert kernel.fault(runtime, GVISOR) == f"the computer runs under gVisor although the settings say {runtime}"


def test_under_runc_a_computer_has_the_kernel_of_its_node() -> None:
    assert kernel.release_fault("runc", "6.1.0-18-amd64", "6.1.0-18-amd64") is None


def test_under_runc_another_kernel_than_the_nodes_is_a_fault_that_names_both() -> None:
    """A virtual machine behind a class that is called runc is not what the settings say."""
    said = kernel.release_fault("runc", "6.12.8", "6.1.0-18-amd64")
    assert said is not None
    assert "6.12.8" in said
    assert "6.1.0-18-amd64" in said


def test_a_virtual_machine_has_a_kernel_of_its_own() -> None:
    """B054: with the wrong handler a pod that names Kata's class has its node's."""
    assert kernel.release_fault("kata", "6.18.5", "6.1.0-18-amd64") is None
    said = kernel.release_fault("kata", "6.1.0-18-amd64", "6.1.0-18-amd64")
    assert said is not None
    assert "nothing shows a virtual machine between them" in said


BOOT, OTHER_BOOT = "0f3b8a52-1111-4222-8333-94445555aaaa", "7c21d0aa-1111-4222-8333-94445555bbbb"


def test_another_start_of_a_kernel_is_another_kernel() -> None:
    assert kernel.boot_fault(BOOT, OTHER_BOOT) is None


def test_the_nodes_own_start_is_the_nodes_own_kernel_whatever_it_is_called() -> None:
    """B054: a release is a name, and two kernels can have the same one; so can one kernel under two names."""
    said = kernel.boot_fault(BOOT, BOOT)
    assert said is not None
    assert "its node's own kernel" in said


@pytest.mark.parametrize("inside", ["", "cat: /proc/sys/kernel/random/boot_id: No such file or directory"])
def test_a_kernel_that_does_not_tell_when_it_started_proves_nothing(inside: str) -> None:
    said = kernel.boot_fault(inside, BOOT)
    assert said is not None
    assert repr(inside[:80]) in said


def test_gvisors_release_is_its_own_text_and_is_not_judged() -> None:
    assert kernel.release_fault("gvisor", "4.19.0-gvisor", "6.1.0-18-amd64") is None
    assert kernel.release_fault("gvisor", "6.1.0", "6.1.0") is None


@pytest.mark.parametrize(
    ("log", "line"),
    [(GVISOR, "Starting gVisor..."), (DENIED, DENIED.strip()), ("", "nothing"), ("[ill formed", "[ill formed")],
)
def test_a_report_shows_the_first_line_without_its_time(log: str, line: str) -> None:
    assert kernel.first_line(log) == line
