"""The step that takes everything off the machine again: ours, and never what was there before."""

from tests.unit.docker.conftest import DOCKER, Bench

OURS = ("/usr/local/lib/rakazo-infra", "/var/lib/rakazo-infra", "/usr/local/lib/rakazo-docker", "/etc/rakazo-infra")
LISTED = """  *label=rakazo.managed=true*) echo bot1; echo bot2 ;;
  *label=rakazo.egress-check=true*) echo check1 ;;
  "network ls --format"*) printf 'bridge\\nrakazo-computer-x-1\\nother-rakazo-computer-y\\n' ;;
  "network ls --quiet"*) echo left1 ;;
  "volume ls"*) echo volume1 ;;
esac"""


def ready(bench: Bench) -> None:
    """Have everything on the machine, and a record of what is done from now on."""
    bench.machine.program("docker", DOCKER.replace("esac", LISTED))
    bench.fence()
    for step in ("examine", "engine", "fence"):
        bench.step(step)
    bench.step("secrets", stdin="kept ENCRYPTION_KEY=x\n")
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


def test_computers_go_first_then_the_project_then_the_rules_that_held_them_back(bench: Bench) -> None:
    ready(bench)
    bench.step("remove", "")
    calls = bench.machine.calls()
    order = [
        "docker rm --force --volumes bot2",
        "docker rm --force --volumes check1",
        "down --volumes",
        "egress remove",
    ]
    places = [next(index for index, call in enumerate(calls) if part in call) for part in order]
    assert places == sorted(places)
    assert "docker network rm rakazo-computer-x-1" in calls
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
