"""A cluster that begins with a snapshot: once, on a machine without data, and made good when it was interrupted.

That k3s restores what it is told to is the machines' tier's.
"""

import pytest

from components.k3s.delivery import node_files
from stacks.target.k3s import K3sSettings
from stacks.target.snapshots import SnapshotSettings
from tests.unit.cluster.conftest import Bench
from tests.unit.cluster.example import ALONE, SERVERS, plan

NAME = "etcd-snapshot-rakazo-1-1796083200"
TOKENS = f"{'5' * 64}\n{'6' * 64}\n"
KEYS = ("AKIAINVENTED", "invented/secret")
STDIN = TOKENS + "".join(f"{key}\n" for key in KEYS)
DATA = "/var/lib/rancher/k3s/server/db/etcd"
VOLUMES = "/var/lib/rancher/k3s/storage"
SAYS = {
    "crictl info": '{"runtimes": {"runsc": {}}}',
    "*persistentvolumes*": f"{VOLUMES}/pvc-1 rakazo-1\n{VOLUMES}/pvc-2 rakazo-2\n/srv/elsewhere rakazo-1",
    "*get secrets*": "secret/rakazo-1.node-password.k3s\nsecret/gone.node-password.k3s\nsecret/other",
    "*get nodes*": "rakazo-1 gone",
}
"""What k3s says of a restored cluster of which one machine is gone."""


def release(bench: Bench, restores: str = "", restore: str | None = NAME) -> K3sSettings:
    """Return a release that notes the keys that it is shown; `restores` is what else happens when it restores."""
    shown, data = bench.machine.path("/shown"), bench.machine.path(DATA)
    cases = " ".join(f"{pattern.replace(' ', '?')}) echo '{text}' ;;" for pattern, text in SAYS.items())
    reset = f'mkdir -p {data}; echo "$AWS_ACCESS_KEY_ID $AWS_SECRET_ACCESS_KEY" >{shown}; {restores}'
    offered = bench.offer(program=f'case "$*" in *--cluster-reset*) {reset} ;; {cases} esac')
    bucket = SnapshotSettings(endpoint="https://s3.example.com", bucket="backups", restore=restore)
    return offered.model_copy(update={"snapshots": bucket})


def install(bench: Bench, *, stdin: str = STDIN, fails: bool = False) -> str:
    return bench.install_k3s(stdin, fails=fails)


def resets(bench: Bench) -> list[str]:
    return [call for call in bench.machine.calls("k3s") if "--cluster-reset" in call]


def test_a_machine_without_data_begins_with_the_snapshot_before_k3s_is_started(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench))
    assert f"the cluster begins with the snapshot {NAME}\n" in install(bench)
    (reset,) = resets(bench)
    assert reset.startswith(f"k3s server --cluster-reset --cluster-reset-restore-path={NAME} --etcd-s3=true --etcd-s3-")
    calls = bench.machine.calls()
    assert calls.index(reset) < calls.index("systemctl start --no-block k3s")
    assert bench.machine.text("/etc/rancher/k3s/config.yaml.d/15-join.yaml") == "cluster-init: true\n"


def test_keys_reach_k3s_and_neither_a_command_line_nor_a_file(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench))
    said = install(bench)
    shown = bench.machine.path("/shown")
    assert shown.read_text() == " ".join(KEYS) + "\n"
    shown.unlink()
    assert [call for call in [*bench.machine.calls(), said] if any(key in call for key in KEYS)] == []
    files = [path for path in bench.machine.root.rglob("*") if path.is_file()]
    assert [path for path in files if any(key.encode() in path.read_bytes() for key in KEYS)] == []


def test_it_is_done_once(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench))
    install(bench)
    assert f"rakazo-1 has the data of a cluster and keeps it; {NAME} is not restored\n" in install(bench)
    assert resets(bench) == []
    assert not [call for call in bench.machine.calls("k3s") if "delete" in call]


def test_a_machine_that_had_data_before_keeps_it(bench: Bench) -> None:
    bench.machine.write(f"{DATA}/member/wal", "of the cluster that runs")
    bench.deliver(ALONE, k3s=release(bench))
    install(bench)
    assert resets(bench) == []
    assert bench.machine.text(f"{DATA}/member/wal") == "of the cluster that runs"


@pytest.mark.parametrize(("others", "restored"), [("exit 0", 0), ("exit 7", 1)], ids=["answer", "are gone"])
def test_the_first_of_three_made_anew_joins_the_others_and_begins_when_they_are_gone(
    bench: Bench, others: str, restored: int
) -> None:
    """B041: a snapshot beside the cluster that is alive would be a second one."""
    bench.machine.deliver(node_files(plan(k3s=release(bench), never_begins=True), SERVERS[0]))
    bench.machine.program("curl", f'case "$*" in */ping) {others} ;; *) exec /usr/bin/curl "$@" ;; esac')
    install(bench)
    assert len(resets(bench)) == restored


@pytest.mark.parametrize("half", ["exit 1", "kill -9 $(ps -o ppid= -p $PPID)"])
def test_one_that_failed_or_was_interrupted_is_begun_anew(bench: Bench, half: str) -> None:
    """What it left looks like data and is none."""
    bench.deliver(ALONE, k3s=release(bench, f"touch {bench.machine.path(DATA)}/half; {half}"))
    bench.machine.step("k3s", "digest", stdin=STDIN)
    assert bench.machine.path(f"{DATA}/half").exists()
    bench.deliver(ALONE, k3s=release(bench))
    install(bench)
    assert len(resets(bench)) == 1
    assert not bench.machine.path(f"{DATA}/half").exists()


def test_one_that_failed_is_told_with_k3s_last_words(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench, "echo encrypted with different token >&2; exit 1"))
    said = install(bench, fails=True)
    assert "encrypted with different token" in said
    assert f"error on rakazo-1: the snapshot {NAME} could not be restored" in said
    assert "It needs the cluster_token of its time" in said


def test_whoever_gives_up_after_a_failure_begins_an_empty_cluster(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench, "exit 1"))
    install(bench, fails=True)
    bench.deliver(ALONE, k3s=release(bench, restore=None))
    install(bench, stdin=TOKENS)
    assert not bench.machine.path(DATA).exists()


def test_a_server_without_the_keys_is_not_touched(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench))
    assert "no keys of the bucket came over standard input" in install(bench, stdin=TOKENS, fails=True)
    assert bench.machine.calls() == []


def test_nodes_that_are_gone_are_deleted_and_every_name_can_be_taken_again(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench))
    install(bench)
    assert [call for call in bench.machine.calls("k3s") if "delete" in call] == [
        "k3s kubectl --namespace kube-system delete secret/rakazo-1.node-password.k3s",
        "k3s kubectl --namespace kube-system delete secret/gone.node-password.k3s",
        "k3s kubectl delete node gone --wait=false",
    ]


def test_volumes_of_the_lost_disk_are_empty_folders_and_those_that_were_brought_back_stay(bench: Bench) -> None:
    bench.machine.write(f"{VOLUMES}/pvc-1/database", "out of a backup").parent.chmod(0o700)
    bench.deliver(ALONE, k3s=release(bench))
    install(bench)
    assert bench.machine.text(f"{VOLUMES}/pvc-1/database") == "out of a backup"
    assert bench.machine.path(f"{VOLUMES}/pvc-1").stat().st_mode & 0o777 == 0o700
    assert not bench.machine.path(f"{VOLUMES}/pvc-2").exists(), "of another machine"
    assert not bench.machine.path("/srv/elsewhere").exists(), "not one of k3s' folders"


def test_an_empty_folder_can_be_written_to_by_every_pod(bench: Bench) -> None:
    """As k3s makes it for a new volume; the kubelet makes one for root alone."""
    bench.machine.path(f"{VOLUMES}/pvc-1").mkdir(parents=True, mode=0o755)
    bench.deliver(ALONE, k3s=release(bench))
    install(bench)
    assert bench.machine.path(f"{VOLUMES}/pvc-1").stat().st_mode & 0o777 == 0o777
    assert bench.machine.path(VOLUMES).stat().st_mode & 0o077 == 0


def test_a_run_that_ended_between_the_snapshot_and_its_nodes_is_made_good(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=release(bench))
    bench.machine.patience = 0
    bench.machine.program("systemctl", 'case "$*" in is-active*) exit 3 ;; esac')
    install(bench, fails=True)
    bench.machine.write("/var/lib/rakazo-infra/restored", "")  # as it is when the API server did not answer either
    bench.machine.patience = 20
    bench.machine.program("systemctl", "")
    install(bench)
    assert resets(bench) == []
    assert "k3s kubectl delete node gone --wait=false" in bench.machine.calls("k3s")
