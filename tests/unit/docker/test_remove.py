"""The step that takes everything off the machine again: ours, and never what was there before."""

from tests.unit.docker.conftest import DOCKER, Bench

OURS = ("/usr/local/lib/rakazo-infra", "/var/lib/rakazo-infra", "/usr/local/lib/rakazo-docker", "/etc/rakazo-infra")
LISTED = """  "ps --all --filter label=com.docker.compose.project=rakazo"*) there web1 worker1 ;;
  "ps --all --filter label=rakazo.managed=true"*) there bot1 bot2 ;;
  "ps --all --filter label=rakazo.egress-check=true"*) there check1 ;;
  "ps --all --filter label=rakazo-infra/verify"*) there verify1 ;;
  "network ls --filter label=com.docker.compose.project=rakazo"*) there rakazo_app ;;
  "network ls --filter label=rakazo-infra/verify"*) there verify-net ;;
  "network ls --format"*) there bridge rakazo-computer-x-1 other-rakazo-computer-y ;;
  "volume ls --filter label=com.docker.compose.project=rakazo"*) there rakazo-data ;;
  rm* | "network rm"* | "volume rm"*)
    for last; do :; done
    touch "$RAKAZO_ROOT/gone-$last"
    ;;
esac"""
THERE = """there() {
  for name; do [ -e "$RAKAZO_ROOT/gone-$name" ] || echo "$name"; done
}
"""
FULL = THERE + DOCKER.replace("esac", LISTED)
"""A Docker that has all that a stack leaves in it, until it is taken away."""


def ready(bench: Bench) -> None:
    """Have everything on the machine, and a record of what is done from now on."""
    bench.fence()
    for step in ("examine", "engine", "fence"):
        bench.step(step)
    bench.machine.program("docker", FULL)
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=x\nend -\n")
    bench.step("project", "digest", "mark")
    bench.step("open")
    bench.machine.write("/var/lib/rakazo-infra/images", "app@sha256:1\n")
    bench.machine.forget_calls()


def there(bench: Bench, *paths: str) -> list[str]:
    return [path for path in paths if bench.machine.path(path).exists()]


def test_a_machine_with_our_docker_is_as_it_was(bench: Bench) -> None:
    """B011."""
    ready(bench)
    bench.machine.write("/var/lib/docker/image", "x")
    bench.machine.write("/var/lib/rakazo-infra/forward-iptables", "ACCEPT\n")
    assert "rakazo-1 is as it was, apart from packages" in bench.step("remove", "")
    gone = (*OURS, "/var/lib/docker", "/etc/docker", "/usr/local/bin/docker", "/etc/systemd/system/docker.service")
    assert there(bench, *gone, "/etc/systemd/system/rakazo.service", "/usr/local/sbin/rakazo-egress") == []
    assert "iptables -w 30 -P FORWARD ACCEPT" in bench.machine.calls("iptables")
    assert "systemctl --quiet disable --now docker.service docker.socket" in bench.machine.calls("systemctl")
    assert "systemctl stop rakazo-containerd.service" in bench.machine.calls("systemctl")


def test_the_project_goes_first_then_computers_then_the_rules_that_held_them_back(bench: Bench) -> None:
    """A worker that is still there would make a computer anew."""
    ready(bench)
    bench.step("remove", "")
    calls = bench.machine.calls()
    order = [
        "docker rm --force --volumes worker1",
        "docker rm --force --volumes bot2",
        "docker rm --force --volumes check1",
        "docker rm --force --volumes verify1",
        "docker network rm rakazo_app",
        "docker network rm verify-net",
        "docker network rm rakazo-computer-x-1",
        "docker volume rm rakazo-data",
        "egress remove",
    ]
    places = [next(index for index, call in enumerate(calls) if part in call) for part in order]
    assert places == sorted(places)
    assert "docker network rm other-rakazo-computer-y" not in calls
    assert "docker image rm app@sha256:1" in calls


def test_a_docker_that_was_there_before_stays_with_all_that_is_not_ours(bench: Bench) -> None:
    bench.adopt()
    bench.machine.write("/etc/docker/daemon.json", "{}\n")
    bench.machine.write("/var/lib/docker/image", "x")
    ready(bench)
    assert "rakazo-1 is as it was, apart from packages" in bench.step("remove", "")
    assert there(bench, *OURS) == []
    assert there(bench, "/etc/docker/daemon.json", "/var/lib/docker/image") == [
        "/etc/docker/daemon.json",
        "/var/lib/docker/image",
    ]
    systemctl = bench.machine.calls("systemctl")
    assert [call for call in systemctl if "docker" in call and ("stop" in call or "disable" in call)] == []
    assert bench.machine.calls("iptables-restore") == []
    assert bench.machine.calls("ip link") == []


def test_what_cannot_be_taken_away_is_told_and_stays_behind_its_rules(bench: Bench) -> None:
    """It would run on without them, and nothing would know of it any more."""
    ready(bench)
    stubborn = FULL.replace("  rm* |", '  "rm --force --volumes bot2" | "volume rm"*) exit 1 ;;\n  rm* |')
    bench.machine.program("docker", stubborn)
    said = bench.step("remove", "", fails=True)
    assert "these could not be taken away: bot2 rakazo-data; look at what uses them" in said
    assert [call for call in bench.machine.calls("rakazo-egress") if "remove" in call] == []
    assert there(bench, *OURS) == list(OURS)
    bench.machine.program("docker", FULL)
    bench.step("remove", "")
    assert there(bench, *OURS) == []


def test_a_broken_project_is_taken_away_all_the_same(bench: Bench) -> None:
    ready(bench)
    bench.machine.write("/compose-fails", "")
    bench.step("close", "")
    bench.step("remove", "")
    assert there(bench, *OURS) == []


def test_a_way_in_that_compose_does_not_close_goes_with_its_container(bench: Bench) -> None:
    ready(bench)
    bench.machine.program("docker", DOCKER.replace("esac", "  ps*service=web*) echo web1 ;;\nesac"))
    bench.step("close", "")
    assert bench.machine.calls("docker rm") == []
    bench.machine.write("/compose-fails", "")
    bench.step("close", "")
    assert bench.machine.calls("docker rm") == ["docker rm --force --volumes web1"]


def test_only_dockers_own_rules_go(bench: Bench) -> None:
    """Somebody else's may name its chains, and may be written while this runs."""
    ready(bench)
    theirs = ["-A INPUT -i docker0 -j ACCEPT", "-A DOCKER-USER -s 10.0.0.9/32 -j DROP", "-A FORWARD -j MINE"]
    dockers = [
        "-A FORWARD -j DOCKER-USER",
        "-A FORWARD -j DOCKER-FORWARD",
        "-A FORWARD -o docker0 -j DOCKER",
        "-A FORWARD -i docker0 ! -o docker0 -j ACCEPT",
    ]
    chains = ["-N DOCKER", "-N DOCKER-FORWARD", "-N DOCKER-USER", "-N MINE"]
    lines = "\n".join([*chains, *theirs, *dockers, "-A DOCKER-FORWARD -j DOCKER"])
    bench.machine.program("iptables", f'case "$*" in *"filter -S") echo \'{lines}\' ;; esac')
    bench.machine.program("iptables-restore", 'cat >>"$CALLS"')
    bench.step("remove", "")
    calls = bench.machine.calls()
    begin = calls.index("iptables-restore -w 30 --noflush") + 1
    assert calls[begin : calls.index("COMMIT", begin)] == [
        "*filter",
        *(rule.replace("-A", "-D") for rule in dockers),
        *("-F DOCKER", "-F DOCKER-FORWARD", "-X DOCKER", "-X DOCKER-FORWARD"),
    ]


def test_the_machine_forwards_no_more_than_it_did_before(bench: Bench) -> None:
    """Docker switches it on; behind a policy that lets everything through it would be an open router."""
    key = bench.machine.write("/proc/sys/net/ipv4/ip_forward", "0\n")
    ready(bench)
    key.write_text("1\n", encoding="utf-8")
    bench.machine.write("/var/lib/rakazo-infra/forward-iptables", "ACCEPT\n")
    told = f'case "$*" in *"-P FORWARD"*) cat {key} >>"$CALLS" ;; esac'
    bench.machine.program("iptables", told)
    bench.step("remove", "")
    assert key.read_text(encoding="utf-8") == "0\n"
    calls = bench.machine.calls()
    assert calls[calls.index("iptables -w 30 -P FORWARD ACCEPT") + 1] == "0", "before the policy is open"


def test_our_docker_stays_while_somebody_else_has_containers_in_it(bench: Bench) -> None:
    ready(bench)
    bench.machine.program("docker", DOCKER.replace("esac", '  "ps --all --quiet") echo somebody ;;\nesac'))
    bench.machine.write("/var/lib/docker/image", "x")
    assert "Docker stays, because somebody else's containers are in it" in bench.step("remove", "")
    stays = ("/var/lib/docker/image", "/etc/docker/daemon.json", "/etc/systemd/system/docker.service")
    assert there(bench, *stays) == list(stays)
    assert there(bench, "/var/lib/rakazo-infra", "/etc/rakazo-infra", "/etc/systemd/system/rakazo.service") == []


def test_a_machine_on_which_docker_was_never_installed_is_cleaned_all_the_same(bench: Bench) -> None:
    bench.step("examine")
    bench.deliver(docker=bench.docker(sha256="0" * 64))
    bench.step("engine", fails=True)
    bench.step("remove", "")
    assert there(bench, *OURS) == []


def test_what_was_refused_is_not_taken_away_either(bench: Bench) -> None:
    """B004: somebody else's project of our name, with all of its data."""
    bench.adopt()
    bench.machine.program("docker", DOCKER.replace("esac", "  *compose.project=rakazo*) echo theirs ;;\nesac"))
    bench.step("examine", fails=True)
    bench.machine.forget_calls()
    assert bench.step("remove", "") == "nothing on rakazo-1 is this stack's\n"
    assert bench.machine.calls("docker") == []
    assert there(bench, *OURS) == []


def test_a_machine_of_another_stack_keeps_everything(bench: Bench) -> None:
    ready(bench)
    bench.machine.write("/var/lib/rakazo-infra/stack", "production\n")
    bench.step("remove", "")
    assert there(bench, *OURS) == list(OURS)


def test_a_docker_that_does_not_answer_ends_the_destroy_before_anything_is_lost(bench: Bench) -> None:
    ready(bench)
    bench.machine.patience = 0
    bench.machine.program("docker", "exit 1")
    assert "Docker does not answer" in bench.step("remove", "", fails=True)
    assert there(bench, *OURS) == list(OURS)


def test_a_second_time_is_as_good_as_the_first(bench: Bench) -> None:
    ready(bench)
    bench.step("remove", "")
    bench.deliver()
    bench.step("remove", "")
    assert there(bench, *OURS) == []
