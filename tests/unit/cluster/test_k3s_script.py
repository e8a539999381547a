"""k3s on a machine: started anew when something changed, left alone when nothing did, and told of every failure."""

import pytest

from components.k3s.delivery import node_files
from stacks.target.k3s import K3sSettings
from tests.unit.cluster.conftest import K3S, VERSION, Bench
from tests.unit.cluster.example import AGENTS, ALONE, SERVERS, plan

TOKEN, AGENTS_TOKEN = "5" * 64, "6" * 64
STDIN = f"{TOKEN}\n{AGENTS_TOKEN}\n"
RESTART = ["systemctl stop k3s", "systemctl start --no-block k3s"]


@pytest.fixture(autouse=True)
def delivered(bench: Bench) -> None:
    bench.deliver(ALONE)


def install(bench: Bench, *, fails: bool = False, stdin: str = STDIN) -> str:
    return bench.install_k3s(stdin, fails=fails)


def started(bench: Bench) -> list[str]:
    return [call for call in bench.machine.calls("systemctl") if " stop " in call or " start " in call]


def test_it_runs_with_its_configuration_and_its_tools(bench: Bench) -> None:
    assert install(bench) == f"k3s {VERSION} runs on rakazo-1\n"
    assert "node-name: rakazo-1" in bench.machine.text("/etc/rancher/k3s/config.yaml.d/10-machine.yaml")
    assert bench.machine.path("/usr/local/bin/kubectl").readlink().name == "k3s"
    assert "systemctl --quiet enable k3s" in bench.machine.calls("systemctl")


def test_tokens_are_readable_by_root_alone(bench: Bench) -> None:
    install(bench)
    for name, token in (("token", TOKEN), ("agent-token", AGENTS_TOKEN)):
        path = bench.machine.path(f"/etc/rancher/k3s/{name}")
        assert path.read_text() == f"{token}\n"
        assert path.stat().st_mode & 0o777 == 0o600


def test_no_call_of_any_program_shows_a_token(bench: Bench) -> None:
    """Everybody on the machine sees the arguments of everybody's programs."""
    said = install(bench)
    assert not [call for call in [*bench.machine.calls(), said] if TOKEN in call or AGENTS_TOKEN in call]


def test_when_nothing_changed_nothing_is_restarted_or_downloaded(bench: Bench) -> None:
    install(bench)
    install(bench)
    assert started(bench) == ["systemctl start --no-block k3s"]
    assert len(bench.mirror.requests) == 1


@pytest.mark.parametrize("what", ["version", "configuration", "token", "agents' token", "runtime", "unit"])
def test_when_something_changed_it_is_started_anew(bench: Bench, what: str) -> None:
    install(bench)
    stdin = STDIN
    if what == "version":
        bench.deliver(ALONE, k3s=bench.offer("v1.36.3+k3s1"))
    elif what == "configuration":
        bench.machine.write("/usr/local/lib/rakazo-infra/staged/k3s/etc/rancher/k3s/config.yaml", "debug: true\n")
    elif what == "token":
        stdin = f"{'7' * 64}\n{AGENTS_TOKEN}\n"
    elif what == "agents' token":
        stdin = f"{TOKEN}\n{'7' * 64}\n"
    elif what == "unit":
        bench.machine.write("/usr/local/lib/rakazo-infra/staged/k3s/etc/systemd/system/k3s.service", "[Unit]\n")
    else:
        bench.machine.write("/var/lib/rancher/k3s/agent/etc/containerd/config-v3.toml.d/10-gvisor.toml", "x = 1\n")
    install(bench, stdin=stdin)
    assert started(bench) == RESTART
    install(bench, stdin=stdin)
    assert started(bench) == RESTART[1:]


def test_a_run_that_was_interrupted_before_the_restart_makes_up_for_it(bench: Bench) -> None:
    install(bench)
    bench.machine.write("/etc/rancher/k3s/config.yaml.d/10-machine.yaml", "written: by the interrupted run\n")
    bench.machine.write(
        "/usr/local/lib/rakazo-infra/staged/k3s/etc/rancher/k3s/config.yaml.d/10-machine.yaml",
        "written: by the interrupted run\n",
    )
    install(bench)
    assert started(bench) == RESTART


def test_one_that_does_not_start_is_told_with_its_last_words(bench: Bench) -> None:
    bench.machine.patience = 0
    bench.machine.program("systemctl", 'case "$*" in is-active*) exit 3 ;; esac')
    bench.machine.program("journalctl", "echo 'level=fatal msg=\"no such flag\"'")
    said = install(bench, fails=True)
    assert 'msg="no such flag"' in said
    assert "error on rakazo-1: k3s did not start; its last words are above" in said


@pytest.mark.parametrize(
    "words",
    ["Node password rejected, duplicate hostname or contents", "duplicate node name found, please use a unique"],
)
def test_a_machine_that_came_anew_under_its_old_name_is_told_so(bench: Bench, words: str) -> None:
    bench.machine.patience = 0
    bench.machine.program("systemctl", 'case "$*" in is-active*) exit 3 ;; esac')
    bench.machine.program("journalctl", f"echo 'level=fatal msg=\"{words}\"'")
    said = install(bench, fails=True)
    assert "the cluster still has a node rakazo-1, and this machine is another one, or was installed anew" in said
    assert "k3s kubectl delete node rakazo-1" in said


def test_one_that_failed_to_start_is_started_by_the_next_run(bench: Bench) -> None:
    """Although its files are all in place then."""
    bench.machine.patience = 0
    whole = (bench.machine.programs / "systemctl").read_text()
    bench.machine.program("systemctl", 'case "$*" in is-active*) exit 3 ;; esac')
    install(bench, fails=True)
    bench.machine.patience = 20
    (bench.machine.programs / "systemctl").write_text(whole)
    install(bench)
    assert started(bench) == RESTART


def test_a_containerd_that_does_not_know_runsc_fails_the_installation(bench: Bench) -> None:
    """B045: else every computer fails later, and the installer had said that all was well."""
    bench.machine.patience = 0
    bench.deliver(ALONE, k3s=bench.offer(program='case "$*" in "crictl info") echo "{}" ;; esac'))
    said = install(bench, fails=True)
    assert "containerd does not know runsc, so no computer could start" in said


def test_a_machine_without_computers_is_not_asked_about_runsc(bench: Bench) -> None:
    bench.deliver(SERVERS[0], k3s=bench.offer(program=""))
    install(bench)
    assert not [call for call in bench.machine.calls("k3s") if "crictl" in call]


def test_a_program_with_another_checksum_never_runs(bench: Bench) -> None:
    wrong = bench.offer().model_copy(update={"sha256": "0" * 64})
    bench.deliver(ALONE, k3s=wrong)
    assert "and the stack asks for 000" in install(bench, fails=True)
    assert not bench.machine.path("/usr/local/bin/k3s").exists()


def of(bench: Bench, version: str) -> K3sSettings:
    return bench.offer(version, K3S)


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("v1.35.9+k3s1", f"it runs k3s {VERSION}, and v1.35.9+k3s1 is older: its database cannot go back"),
        ("v1.38.0+k3s1", "skips a minor release, which Kubernetes does not allow; go to the newest v1.37 first"),
    ],
)
def test_releases_follow_each_other(bench: Bench, version: str, told: str) -> None:
    """B082: and nothing has changed when it is refused."""
    install(bench)
    bench.deliver(ALONE, k3s=of(bench, version))
    assert told in install(bench, fails=True)
    assert started(bench) == []
    assert bench.machine.text("/var/lib/rakazo-infra/k3s-version").startswith(VERSION)


@pytest.mark.parametrize("version", ["v1.36.3+k3s1", "v1.37.0+k3s1", "v1.36.1+k3s1"])
def test_a_patch_and_the_next_minor_release_are_one_step(bench: Bench, version: str) -> None:
    install(bench)
    bench.deliver(ALONE, k3s=of(bench, version))
    assert install(bench) == f"k3s {version} runs on rakazo-1\n"


def rotating(bench: Bench) -> K3sSettings:
    """Return a release that notes which token it was shown, and not on its command line."""
    shown = bench.machine.path("/shown")
    return bench.offer(program=f'case "$*" in token*) echo "$K3S_TOKEN" >{shown} ;; esac\n{K3S}')


def test_a_running_cluster_is_told_about_another_token_before_it_is_started_with_it(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=rotating(bench))
    install(bench)
    bench.machine.path("/var/lib/rancher/k3s/server/db").mkdir(parents=True)
    other = "7" * 64
    install(bench, stdin=f"{other}\n{AGENTS_TOKEN}\n")
    calls = bench.machine.calls()
    rotation = f"k3s token rotate --new-token {other}"
    assert calls.index(rotation) < calls.index(RESTART[0])
    assert bench.machine.text("/etc/rancher/k3s/token") == f"{other}\n"
    assert bench.machine.text("/shown") == f"{TOKEN}\n"


def test_a_first_server_that_joined_the_others_tells_the_cluster_too(bench: Bench) -> None:
    """It was made anew, or the one before it has left; else nobody would, and no server would start any more."""
    bench.deliver(SERVERS[0])
    bench.machine.deliver(node_files(plan(k3s=rotating(bench), never_begins=True), SERVERS[0]))
    bench.machine.write("/etc/rancher/k3s/token", f"K10{'a' * 64}::server:{TOKEN}\n")
    bench.machine.path("/var/lib/rancher/k3s/server/db").mkdir(parents=True)
    bench.machine.write("/etc/rancher/k3s/config.yaml.d/15-join.yaml", "server: https://10.0.1.12:6443\n")
    install(bench)
    assert not [call for call in bench.machine.calls("k3s") if "rotate" in call], "it is the same token"
    install(bench, stdin=f"{'7' * 64}\n{AGENTS_TOKEN}\n")
    assert f"k3s token rotate --new-token {'7' * 64}" in bench.machine.calls("k3s")


def test_a_refused_token_leaves_the_old_one_in_place(bench: Bench) -> None:
    bench.deliver(ALONE, k3s=bench.offer(program=f'case "$*" in token*) exit 1 ;; esac\n{K3S}'))
    install(bench)
    bench.machine.path("/var/lib/rancher/k3s/server/db").mkdir(parents=True)
    said = install(bench, stdin=f"{'7' * 64}\n{AGENTS_TOKEN}\n", fails=True)
    assert "k3s does not take the new token; the old one still holds" in said
    assert bench.machine.text("/etc/rancher/k3s/token") == f"{TOKEN}\n"


@pytest.mark.parametrize("stdin", ["", f"{TOKEN}\n"])
def test_a_server_without_its_tokens_is_not_touched(bench: Bench, stdin: str) -> None:
    assert "over standard input" in install(bench, stdin=stdin, fails=True)
    assert started(bench) == []


def test_an_agent_takes_one_token_and_its_own_unit(bench: Bench) -> None:
    bench.deliver(AGENTS[0], SERVERS[0])
    bench.machine.program("curl", 'case "$*" in */ping) ;; *) exec /usr/bin/curl "$@" ;; esac')
    install(bench, stdin=f"{AGENTS_TOKEN}\n")
    assert started(bench) == ["systemctl stop k3s-agent", "systemctl start --no-block k3s-agent"]
    assert not bench.machine.path("/etc/rancher/k3s/agent-token").exists()


def test_what_failed_in_another_role_stops_before_this_one_starts(bench: Bench) -> None:
    """Both on one machine would be two nodes with the same disk; and what was to begin a cluster joins one."""
    bench.machine.write("/etc/systemd/system/k3s.service", "of a run that failed")
    bench.machine.write("/etc/rancher/k3s/config.yaml.d/15-join.yaml", "cluster-init: true\n")
    bench.deliver(AGENTS[0], SERVERS[0])
    bench.machine.program("curl", 'case "$*" in */ping) ;; *) exec /usr/bin/curl "$@" ;; esac')
    install(bench, stdin=f"{AGENTS_TOKEN}\n")
    calls = bench.machine.calls("systemctl")
    assert calls.index("systemctl --quiet disable --now k3s") < calls.index("systemctl start --no-block k3s-agent")
    assert bench.machine.text("/etc/rancher/k3s/config.yaml.d/15-join.yaml") == "server: https://10.0.1.11:6443\n"
