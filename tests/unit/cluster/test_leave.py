"""A node that leaves, and the majority that has to stay."""

import subprocess

import pytest

from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import SERVERS


@pytest.fixture(autouse=True)
def delivered(bench: Bench) -> None:
    bench.deliver(SERVERS[0])


def leave(bench: Bench, node: str, servers: dict[str, bool], *, known: bool = True) -> subprocess.CompletedProcess[str]:
    listed = "\n".join(f"{name} {ready}" for name, ready in servers.items())
    bench.machine.program(
        "k3s",
        f"""case "$*" in
  "kubectl get node "*" --ignore-not-found --output name") {f"echo node/{node}" if known else ""} ;;
  *selector*) echo "{listed}" ;;
esac""",
    )
    return bench.machine.step("leave", node)


THREE = {"server-1": True, "server-2": True, "server-3": True}


def test_an_agent_gives_its_pods_away_first(bench: Bench) -> None:
    done = leave(bench, "computers-1", THREE)
    assert done.returncode == 0, done.stderr
    drained, deleted = bench.machine.calls("k3s")[-2:]
    assert drained.startswith("k3s kubectl drain computers-1 --ignore-daemonsets --delete-emptydir-data --force")
    assert deleted == "k3s kubectl delete node computers-1 --timeout 120s"


def test_one_of_three_servers_may_leave(bench: Bench) -> None:
    assert leave(bench, "server-2", THREE).returncode == 0


@pytest.mark.parametrize(
    ("servers", "ready"),
    [
        ({"server-1": True, "server-2": True, "server-3": False}, 1),
        ({"server-1": False, "server-2": True, "server-3": False}, 0),
        ({"server-1": False, "server-2": True}, 0),
    ],
)
def test_a_server_without_which_nobody_decides_stays(bench: Bench, servers: dict[str, bool], ready: int) -> None:
    """B041: taking a second one away while the first is gone ends the API for everybody."""
    done = leave(bench, "server-2", servers)
    assert done.returncode == 1
    assert "server-2 cannot be taken out" in done.stderr
    assert f"{ready} are ready, which is no majority" in done.stderr
    assert not [call for call in bench.machine.calls("k3s") if "drain" in call or "delete" in call]


def test_a_broken_server_may_be_taken_out(bench: Bench) -> None:
    """That is how it is mended."""
    assert leave(bench, "server-2", {"server-1": True, "server-2": False, "server-3": True}).returncode == 0


VOLUMES = "server-1 rakazo/rakazo-postgres\nserver-20 team/elsewhere\nserver-2 rakazo/rakazo-data\nserver-2 team/notes"


@pytest.mark.parametrize("given_up", [False, True])
def test_a_node_with_data_on_its_disk_stays_until_somebody_gives_it_up(bench: Bench, *, given_up: bool) -> None:
    """A volume of local-path is a folder on one machine, and nobody else has what is in it."""
    bench.machine.program(
        "k3s",
        f"""case "$*" in
  *ignore-not-found*) echo node/server-2 ;;
  *persistentvolumes*) echo "{VOLUMES}" ;;
  *data-given-up*) echo -n "{"yes" if given_up else ""}" ;;
  *selector*) echo "server-1 True\nserver-2 True\nserver-3 True" ;;
esac""",
    )
    done = bench.machine.step("leave", "server-2")
    ended = [call for call in bench.machine.calls("k3s") if "drain" in call or "delete" in call]
    if given_up:
        assert (done.returncode, len(ended)) == (0, 2), done.stderr
    else:
        assert (done.returncode, ended) == (1, [])
        assert "would be gone: rakazo/rakazo-data team/notes. When you have a copy" in done.stderr
        assert "kubectl annotate node server-2 rakazo-infra/data-given-up=yes" in done.stderr


def test_a_node_that_has_left_already_is_no_error(bench: Bench) -> None:
    done = leave(bench, "computers-1", THREE, known=False)
    assert done.stdout == "there is no node computers-1\n"


def test_an_api_server_that_does_not_answer_is_not_taken_for_a_node_that_left(bench: Bench) -> None:
    bench.machine.program("k3s", 'case "$*" in *readyz*) echo ok ;; *) exit 1 ;; esac')  # it was silent once
    done = bench.machine.step("leave", "server-2")
    assert done.returncode == 1
    assert "the API server does not answer" in done.stderr


def test_pods_that_do_not_end_in_time_hold_up_nobody(bench: Bench) -> None:
    pods = "DaemonSet kube-system/speaker\nReplicaSet rakazo/rakazo-web-1\n rakazo-computers/a"
    cases = "*ignore-not-found*) echo node/computers-1 ;; "
    cases += f'*drain*) exit 1 ;; *spec.nodeName=computers-1*) echo "{pods}" ;; *selector*) echo "server-1 True" ;;'
    bench.machine.program("k3s", f'case "$*" in {cases} esac')
    done = bench.machine.step("leave", "computers-1")
    assert done.returncode == 0, done.stderr
    assert "these pods of computers-1 did not end in 180s: rakazo/rakazo-web-1 rakazo-computers/a\n" in done.stderr
    assert bench.machine.calls("k3s")[-1].startswith("k3s kubectl delete node computers-1")
