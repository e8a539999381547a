"""A machine that is left as it was found."""

import pytest

from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import ALONE


@pytest.fixture(autouse=True)
def installed(bench: Bench) -> None:
    """Have everything on the machine, and somebody else's files beside it."""
    bench.deliver(ALONE)
    bench.machine.function(["report", "place"], 'mkdir -p "$STATE"; place prepare')
    for step, stdin in (("gvisor", ""), ("k3s", f"{'5' * 64}\n{'6' * 64}\n")):
        done = bench.machine.step(step, "digest", stdin=stdin)
        assert done.returncode == 0, done.stderr
    bench.machine.write("/var/lib/rancher/k3s/server/db/state.db", "x")
    bench.machine.write("/etc/mine", "mine\n")
    bench.machine.write("/etc/systemd/system/mine.service", "[Unit]\n")
    bench.machine.path("/usr/local/bin/mine").write_text("mine\n")


def test_nothing_of_ours_stays_and_everything_else_does(bench: Bench) -> None:
    """B011: what a destroy has to remove, data included."""
    done = bench.machine.step("remove")
    assert done.returncode == 0, done.stderr
    left = sorted(
        str(path.relative_to(bench.machine.root))
        for path in bench.machine.root.rglob("*")
        if not path.is_dir() or path.is_symlink()
    )
    assert left == ["etc/mine", "etc/systemd/system/mine.service", "usr/local/bin/mine"]


def test_units_are_ended_before_their_files_go(bench: Bench) -> None:
    bench.machine.forget_calls()
    bench.machine.step("remove")
    calls = bench.machine.calls()
    assert calls.index("systemctl --quiet disable --now k3s") < calls.index("systemctl daemon-reload")
    assert "nft delete table inet rakazo_infra" in calls


def test_rules_of_kubernetes_go_and_others_stay(bench: Bench) -> None:
    """Somebody else may have rules on the machine."""
    ours = r"*filter\n:KUBE-FORWARD - [0:0]\n-A FORWARD -j KUBE-FORWARD\n"
    saved = rf"{ours}-A INPUT -j ACCEPT\n-A INPUT -s 10.0.0.9 -j DROP\nCOMMIT"
    bench.machine.program("iptables-save", f"printf '{saved}\\n'")
    bench.machine.program("iptables-restore", 'cat >>"$CALLS"')
    bench.machine.step("remove")
    calls = bench.machine.calls()
    assert "-A INPUT -s 10.0.0.9 -j DROP" in calls
    assert not [call for call in calls if "KUBE" in call]


def test_a_second_time_finds_nothing_to_do(bench: Bench) -> None:
    """An interrupted destroy goes on: the command asks for the script first."""
    bench.machine.step("remove")
    assert not bench.machine.path("/usr/local/lib/rakazo-infra").exists()
