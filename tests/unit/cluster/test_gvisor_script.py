"""gVisor on a machine: installed as a whole or not at all, and changed without touching what runs."""

import pytest

from components.k3s.delivery import node_files
from tests.unit.cluster.conftest import Bench, tarball
from tests.unit.cluster.example import AGENTS, SERVERS, plan

HOME = "/usr/local/lib/gvisor"
DROP_IN = "/var/lib/rancher/k3s/agent/etc/containerd/config-v3.toml.d/10-gvisor.toml"


@pytest.fixture(autouse=True)
def delivered(bench: Bench) -> None:
    bench.deliver(AGENTS[0], SERVERS[0])


def install(bench: Bench, *, fails: bool = False) -> str:
    done = bench.machine.step("gvisor", "digest")
    assert (done.returncode != 0) is fails, done.stderr
    return done.stderr if fails else done.stdout


def test_all_parts_lie_beside_each_other_and_are_found_on_the_path(bench: Bench) -> None:
    """Runsc looks for its other parts beside itself."""
    assert install(bench) == "gVisor on computers-1: runsc version release-20261116.0\n"
    release = bench.machine.path(f"{HOME}/20261116.0")
    assert (release / "gvisor-bin/sentry").exists()
    for program in ("runsc", "containerd-shim-runsc-v1"):
        link = bench.machine.path(f"/usr/local/bin/{program}")
        assert link.readlink() == release / program
    for folder in (release, release.parent, release / "gvisor-bin"):
        assert folder.stat().st_mode & 0o005 == 0o005, f"nobody, as whom runsc goes on, cannot enter {folder}"


def test_containerd_is_told_where_it_looks(bench: Bench) -> None:
    install(bench)
    assert "io.containerd.runsc.v1" in bench.machine.text(DROP_IN)
    assert f'binary_name = "{HOME}/20261116.0/runsc"' in bench.machine.text("/etc/containerd/runsc.toml")


def test_nothing_is_downloaded_twice_and_nothing_restarted(bench: Bench) -> None:
    install(bench)
    install(bench)
    assert len(bench.mirror.requests) == 1
    assert bench.machine.calls("systemctl") == []


def test_another_release_comes_beside_the_one_in_use(bench: Bench) -> None:
    """A computer that runs is served to its end by the release that started it."""
    install(bench)
    running = bench.machine.path("/proc/4711/exe")
    running.parent.mkdir(parents=True)
    running.symlink_to(bench.machine.path(f"{HOME}/20261116.0/runsc"))
    bench.release = tarball(version="release-20261123.0")
    bench.deliver(AGENTS[0], SERVERS[0], gvisor=bench.gvisor("20261123.0"))
    assert "release-20261123.0" in install(bench)
    releases = sorted(path.name for path in bench.machine.path(HOME).iterdir())
    assert releases == ["20261116.0", "20261123.0"]
    running.unlink()
    install(bench)
    assert [path.name for path in bench.machine.path(HOME).iterdir()] == ["20261123.0"]


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (("runsc", "gvisor-bin/sentry"), "holds no program containerd-shim-runsc-v1"),
        (("containerd-shim-runsc-v1", "gvisor-bin/sentry"), "holds no program runsc"),
        (("runsc", "containerd-shim-runsc-v1"), "holds no gvisor-bin, the parts that runsc starts"),
    ],
)
def test_a_tarball_without_a_part_is_refused(bench: Bench, parts: tuple[str, ...], told: str) -> None:
    """Loose programs of older releases look like an installation until the first pod starts."""
    bench.release = tarball(parts)
    bench.deliver(AGENTS[0], SERVERS[0])
    assert told in install(bench, fails=True)
    assert not bench.machine.path(DROP_IN).exists()


def test_an_interrupted_unpacking_is_begun_anew(bench: Bench) -> None:
    bench.machine.write(f"{HOME}/20261116.0.new/half", "x")
    install(bench)
    assert [path.name for path in bench.machine.path(HOME).iterdir()] == ["20261116.0"]


def test_another_file_under_the_same_name_replaces_it(bench: Bench) -> None:
    install(bench)
    bench.release = tarball(version="release-20261116.0-mended")
    bench.deliver(AGENTS[0], SERVERS[0])
    assert "mended" in install(bench)


def test_kvm_is_refused_where_there_is_none(bench: Bench) -> None:
    """B053: on a virtual machine it does not exist, and no pod would start."""
    bench.deliver(AGENTS[0], SERVERS[0], gvisor=bench.gvisor(platform="kvm"))
    assert "gvisor.platform is kvm and it has no /dev/kvm; write platform: systrap" in install(bench, fails=True)


def test_an_older_k3s_gets_the_template_and_the_drop_in_goes(bench: Bench) -> None:
    """B045: both at once would declare the runtime twice."""
    install(bench)
    bench.deliver(AGENTS[0], SERVERS[0], k3s=bench.offer("v1.33.5+k3s1"))
    install(bench)
    assert not bench.machine.path(DROP_IN).exists()
    assert bench.machine.path("/var/lib/rancher/k3s/agent/etc/containerd/config-v3.toml.tmpl").exists()


def test_a_machine_without_computers_needs_none(bench: Bench) -> None:
    bench.deliver(SERVERS[0])
    assert install(bench) == "no computers run under gVisor on server-1, so it gets none\n"
    assert bench.mirror.requests == []


def test_a_machine_whose_computers_run_under_something_else_gets_none_and_loses_what_it_had(bench: Bench) -> None:
    """Also when the stack goes over from gVisor to Kata."""
    install(bench)
    made = plan(*SERVERS, *AGENTS, gvisor=None, needs_kvm=True)
    bench.machine.deliver(node_files(made, AGENTS[0]))
    assert install(bench) == "no computers run under gVisor on computers-1, so it gets none\n"
    assert not bench.machine.path(DROP_IN).exists()


def test_only_machines_with_computers_have_to_virtualize() -> None:
    made = plan(*SERVERS, *AGENTS, gvisor=None, needs_kvm=True)
    told = {node.name: node_files(made, node)[0].content for node in made.nodes}
    needs = {name for name, text in told.items() if "\nNEEDS_KVM=yes\n" in text}
    assert needs == {node.name for node in AGENTS}
