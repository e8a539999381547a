"""Which cluster a machine belongs to: decided once, and never a second one beside the first."""

import subprocess

import pytest

from components.k3s.delivery import node_files
from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import AGENTS, ALONE, SERVERS, plan

FILE = "/etc/rancher/k3s/config.yaml.d/15-join.yaml"


def answering(bench: Bench, *addresses: str) -> None:
    """Let API servers answer at these addresses and nowhere else."""
    cases = " ".join(f"https://{address}:6443/ping) exit 0 ;;" for address in addresses)
    bench.machine.program("curl", f'for last; do :; done; case "$last" in {cases} esac; exit 7')


def choose(bench: Bench, again: str = "") -> subprocess.CompletedProcess[str]:
    prelude = '. "$LIB/machine.env"; settings="$ROOT/etc/rancher/k3s"; data="$ROOT/var/lib/rancher/k3s"'
    prelude += f"; again={again}"
    return bench.machine.function(["report", "join"], f'{prelude}; mkdir -p "$settings/config.yaml.d"; choose_join')


def deliver_among_three(bench: Bench, number: int, *, never_begins: bool = False) -> None:
    bench.machine.deliver(node_files(plan(never_begins=never_begins), SERVERS[number]))


def test_a_server_alone_begins_a_cluster_and_asks_nobody(bench: Bench) -> None:
    bench.deliver(ALONE)
    bench.machine.program("curl", "exit 7")
    choose(bench)
    assert bench.machine.text(FILE) == "cluster-init: true\n"
    assert bench.machine.calls("curl") == []


def test_the_first_of_three_begins_when_nobody_is_there(bench: Bench) -> None:
    deliver_among_three(bench, 0)
    answering(bench)
    choose(bench)
    assert bench.machine.text(FILE) == "cluster-init: true\n"


def test_a_new_machine_in_the_place_of_the_first_joins_the_others(bench: Bench) -> None:
    """B041: beginning again would leave two clusters of one name, one of them empty."""
    deliver_among_three(bench, 0)
    answering(bench, "10.0.1.13")
    choose(bench)
    assert bench.machine.text(FILE) == "server: https://10.0.1.13:6443\n"


def test_a_first_machine_that_was_made_anew_never_begins(bench: Bench) -> None:
    """B041: also when the others are out of reach for a moment."""
    deliver_among_three(bench, 0, never_begins=True)
    answering(bench)
    done = choose(bench)
    assert done.returncode == 1
    assert "no server of the cluster answers on port 6443: 10.0.1.12 10.0.1.13" in done.stderr
    assert not bench.machine.path(FILE).exists()


def test_a_first_machine_that_was_installed_anew_waits_for_the_others(bench: Bench) -> None:
    """B041: they may be silent for a moment, and nobody has said that it is new."""
    deliver_among_three(bench, 0)
    bench.machine.program("curl", '[ "$(grep -c ^curl "$CALLS")" -gt 5 ] || exit 28')
    assert choose(bench, "again").returncode == 0
    assert bench.machine.text(FILE) == "server: https://10.0.1.13:6443\n"


def test_one_whose_others_are_gone_too_begins_again(bench: Bench) -> None:
    """As after the loss of all of them, from a snapshot."""
    deliver_among_three(bench, 0)
    answering(bench)
    bench.machine.patience = 0
    assert choose(bench, "again").returncode == 0
    assert bench.machine.text(FILE) == "cluster-init: true\n"


def test_a_new_cluster_waits_for_nobody(bench: Bench) -> None:
    deliver_among_three(bench, 0)
    answering(bench)
    choose(bench)
    assert len(bench.machine.calls("curl")) == 2


@pytest.mark.parametrize("number", [1, 2])
def test_the_other_servers_only_join(bench: Bench, number: int) -> None:
    deliver_among_three(bench, number)
    answering(bench)
    assert choose(bench).returncode == 1
    answering(bench, "10.0.1.11")
    choose(bench)
    assert bench.machine.text(FILE) == "server: https://10.0.1.11:6443\n"


def test_an_agent_joins_whichever_server_answers(bench: Bench) -> None:
    bench.deliver(AGENTS[0], *SERVERS)
    answering(bench, "10.0.1.12")
    choose(bench)
    assert bench.machine.text(FILE) == "server: https://10.0.1.12:6443\n"


def test_a_cluster_that_was_begun_is_kept_to_whatever_stands_first_in_the_list_now(bench: Bench) -> None:
    deliver_among_three(bench, 1)
    bench.machine.write(FILE, "cluster-init: true\n")
    answering(bench, "10.0.1.11")
    choose(bench)
    assert bench.machine.text(FILE) == "cluster-init: true\n"


def test_a_server_with_data_asks_nobody_again(bench: Bench) -> None:
    deliver_among_three(bench, 1)
    bench.machine.write(FILE, "server: https://10.0.1.99:6443\n")
    bench.machine.path("/var/lib/rancher/k3s/server/db").mkdir(parents=True)
    answering(bench)
    assert choose(bench).returncode == 0
    assert bench.machine.text(FILE) == "server: https://10.0.1.99:6443\n"


def test_an_agent_whose_server_left_the_list_finds_another(bench: Bench) -> None:
    bench.deliver(AGENTS[0], *SERVERS)
    bench.machine.write(FILE, "server: https://10.0.1.99:6443\n")
    answering(bench, "10.0.1.13")
    choose(bench)
    assert bench.machine.text(FILE) == "server: https://10.0.1.13:6443\n"
