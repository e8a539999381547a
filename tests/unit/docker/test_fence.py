"""The step that brings the rules into force; what the rules are, their own tests say."""

from tests.unit.docker.conftest import Bench


def test_rules_are_in_force_now_and_before_docker_at_each_start_and_are_looked_after(bench: Bench) -> None:
    bench.fence()
    assert bench.step("fence") == "computers on rakazo-1 reach the public internet and nothing else\n"
    assert bench.machine.calls("systemctl") == [
        "systemctl daemon-reload",
        "systemctl --quiet enable rakazo-egress rakazo-egress-keep.timer",
        "systemctl restart rakazo-egress",
        "systemctl restart rakazo-egress-keep.timer",
    ]
    assert bench.machine.calls("rakazo-egress") == ["rakazo-egress check"]
    assert "Before=docker.service" in bench.machine.text("/etc/systemd/system/rakazo-egress.service")


def test_rules_that_are_not_in_force_end_the_run(bench: Bench) -> None:
    """Whatever the unit said of itself."""
    bench.fence(status=1)
    assert "the rules that hold computers back are not in force" in bench.step("fence", fails=True)


def test_a_unit_that_fails_is_told_with_its_log(bench: Bench) -> None:
    bench.fence()
    bench.machine.program("systemctl", 'case "$*" in restart*) exit 1 ;; esac')
    bench.machine.program("journalctl", "echo iptables-restore refuses the rules of IPv6")
    said = bench.step("fence", fails=True)
    assert "iptables-restore refuses the rules of IPv6" in said
    assert bench.machine.calls("rakazo-egress") == []
