"""A machine that is left as it was found."""

import pytest

from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import ALONE


@pytest.fixture(autouse=True)
def installed(bench: Bench) -> None:
    """Have everything on the machine, and somebody else's files beside it."""
    bench.deliver(ALONE)
    bench.machine.write("/var/lib/rakazo-infra/stack", "test\n")
    bench.machine.function(["report", "place"], "place prepare")
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
    rules = calls.index("nft delete table inet rakazo_infra")
    assert calls.index("systemctl --quiet disable --now rakazo-firewall-keep.timer") < rules
    assert calls.index("systemctl stop rakazo-firewall-keep.service") < rules, "a look that is under way"


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


def test_where_a_machine_lacks_such_programs_those_of_k3s_are_found(bench: Bench) -> None:
    """As k3s itself finds them; the machine's own come first."""
    aux = bench.machine.path("/var/lib/rancher/k3s/data/0123abcd/bin/aux")
    aux.mkdir(parents=True)
    bench.machine.program("iptables-save", 'echo "looked in $PATH" >>"$CALLS"')
    bench.machine.step("remove")
    (looked,) = bench.machine.calls("looked in")
    assert looked.endswith(f":{aux.parent}:{aux}")


def whole(bench: Bench) -> None:
    """Nothing was taken away."""
    assert bench.machine.path("/var/lib/rancher/k3s/server/db/state.db").exists()
    assert bench.machine.path("/usr/local/bin/k3s").exists()


def test_a_k3s_that_the_stack_was_refused_to_touch_stays(bench: Bench) -> None:
    """B004: its preparation ended with an error, and of the stack there are scripts and nothing else."""
    bench.machine.path("/var/lib/rakazo-infra/stack").unlink()
    bench.machine.forget_calls()
    done = bench.machine.step("remove")
    assert (done.returncode, done.stdout) == (0, "nothing on rakazo-1 is this stack's\n")
    whole(bench)
    assert bench.machine.calls() == []
    assert not bench.machine.path("/usr/local/lib/rakazo-infra").exists()
    assert not bench.machine.path("/var/lib/rakazo-infra").exists()


def test_a_machine_of_another_stack_keeps_that_one_s_scripts_too(bench: Bench) -> None:
    bench.machine.write("/var/lib/rakazo-infra/stack", "other\n")
    assert bench.machine.step("remove").returncode == 0
    whole(bench)
    assert bench.machine.path("/usr/local/lib/rakazo-infra/remove").exists()


def test_a_machine_that_has_another_name_by_then_stays(bench: Bench) -> None:
    """B004: a name that went from the settings before k3s was there, and the machine is in them under another."""
    done = bench.machine.step("remove", "former")
    assert (done.returncode, done.stdout) == (0, "former is rakazo-1 by now, which stays\n")
    whole(bench)
    assert bench.machine.step("remove", "rakazo-1").returncode == 0
    assert not bench.machine.path("/var/lib/rancher/k3s").exists()


def test_what_is_mounted_in_a_folder_and_stays_so_is_not_deleted_with_it(bench: Bench) -> None:
    """A volume on somebody's file server, which could not be unmounted."""
    bench.machine.program("rm", 'case "$*" in "-rf --one-file-system"*) exit 1 ;; *) exec /bin/rm "$@" ;; esac')
    done = bench.machine.step("remove")
    assert done.returncode == 1
    assert "unmount it and type: pulumi destroy" in done.stderr
    assert bench.machine.path("/usr/local/lib/rakazo-infra/remove").exists()


def test_a_second_time_finds_nothing_to_do(bench: Bench) -> None:
    """An interrupted destroy goes on: the command asks for the script first."""
    bench.machine.step("remove")
    assert not bench.machine.path("/usr/local/lib/rakazo-infra").exists()
