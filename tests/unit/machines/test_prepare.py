"""The step that makes a machine fit to be a node, with everything that it refuses."""

import pytest

from components.machines.preparation import preparation_files
from components.machines.variables import render_variables
from tests.unit.machines.conftest import RULES, variables
from tests.unit.machines.fake_machine import FakeMachine
from tests.unit.machines.mirror import Mirror


def test_a_fit_machine_is_prepared_and_tells_its_interface(machine: FakeMachine) -> None:
    done = machine.step("prepare", "digest", "198.51.100.7", "50000", "203.0.113.10", "22")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "rakazo-1 is prepared; nodes reach it at 10.0.1.11 on enp7s0\n"
    assert machine.path("/etc/sysctl.d/90-rakazo-infra.conf").exists()
    assert machine.text("/var/lib/rakazo-infra/stack") == "test\n"


def test_a_second_time_is_as_good_as_the_first(machine: FakeMachine) -> None:
    machine.step("prepare", "digest")
    assert machine.step("prepare", "other").returncode == 0


@pytest.mark.parametrize(
    ("program", "text", "told"),
    [
        ("uname", 'if [ "$1" = -m ]; then echo aarch64; else echo 6.1.0; fi', "it is aarch64, and the releases"),
        ("uname", 'if [ "$1" = -m ]; then echo x86_64; else echo 5.4.0-200; fi', "its kernel is 5.4.0-200, and gVisor"),
        ("uname", 'if [ "$1" = -m ]; then echo x86_64; else echo 4.18.0; fi', "needs 5.6 or newer"),
    ],
)
def test_a_machine_that_cannot_be_a_node_is_told_why(machine: FakeMachine, program: str, text: str, told: str) -> None:
    machine.program(program, text)
    done = machine.step("prepare", "digest")
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stderr.startswith("error on rakazo-1: ")


@pytest.mark.parametrize("kernel", ["5.6.0", "5.15.0-100-generic", "6.1", "10.0"])
def test_kernels_from_56_on_are_taken(machine: FakeMachine, kernel: str) -> None:
    machine.program("uname", f'if [ "$1" = -m ]; then echo x86_64; else echo {kernel}; fi')
    assert machine.step("prepare", "digest").returncode == 0


def test_a_machine_without_systemd_is_refused(machine: FakeMachine) -> None:
    machine.path("/run/systemd/system").rmdir()
    assert "it is not run by systemd" in machine.step("prepare", "digest").stderr


@pytest.mark.parametrize(
    "sign",
    [
        "/etc/rancher/k3s/config.yaml",
        "/var/lib/rancher/k3s/server/token",
        "/etc/systemd/system/k3s.service",
        "/etc/systemd/system/k3s-agent.service",
    ],
)
def test_a_cluster_that_is_there_already_is_never_taken_over(machine: FakeMachine, sign: str) -> None:
    """B004: a destroy would take it away with all of its data."""
    machine.write(sign, "x\n")
    done = machine.step("prepare", "digest")
    assert done.returncode == 1
    assert "k3s is installed already, and not by this stack" in done.stderr
    assert not machine.path("/etc/sysctl.d").exists()


@pytest.mark.parametrize(
    "sign",
    ["/var/lib/kubelet/config.yaml", "/etc/kubernetes/kubelet.conf", "/etc/rancher/rke2/x", "/var/snap/microk8s/x"],
)
def test_a_node_of_another_kubernetes_is_refused(machine: FakeMachine, sign: str) -> None:
    """B004: k3s would take its kubelet's folder, and a destroy the pods' volumes in it."""
    machine.write(sign, "x\n")
    done = machine.step("prepare", "digest")
    assert done.returncode == 1
    assert f"it is a node of another Kubernetes, or was one: {sign.rpartition('/')[0]} is there" in done.stderr
    assert not machine.path("/var/lib/rakazo-infra/stack").exists()


def test_a_kubelet_of_the_stacks_own_is_none_of_anothers(machine: FakeMachine) -> None:
    machine.step("prepare", "digest")
    machine.write("/var/lib/kubelet/pods/x", "x\n")
    assert machine.step("prepare", "digest").returncode == 0


def test_a_machine_of_another_stack_is_refused(machine: FakeMachine) -> None:
    machine.write("/var/lib/rakazo-infra/stack", "production\n")
    done = machine.step("prepare", "digest")
    assert "it belongs to the stack production; destroy that one first" in done.stderr


def test_a_machine_on_which_the_stack_runs_docker_computers_is_refused(machine: FakeMachine) -> None:
    machine.write("/var/lib/rakazo-infra/stack", "test\n")
    machine.write("/var/lib/rakazo-infra/docker", "ours\n")
    done = machine.step("prepare", "digest")
    assert done.returncode == 1
    assert "this stack runs Docker computers on it, whose data nobody moves to k3s" in done.stderr


def test_an_address_that_no_interface_has_is_told_with_those_that_there_are(machine: FakeMachine) -> None:
    """B028: a machine behind a router has another address than the one it is reached at."""
    machine.program("ip", "echo '2: eth0    inet 172.31.4.9/20 scope global eth0'")
    done = machine.step("prepare", "digest")
    assert done.returncode == 1
    assert "172.31.4.9" in done.stderr
    assert "none of its interfaces has 10.0.1.11 after 1 s" in done.stderr
    assert "write the address that it has itself as private_address" in done.stderr


def new(machine: FakeMachine, mirror: Mirror) -> None:
    values = variables(mirror.url) | {"AWAITS_CLOUD_INIT": "yes"}
    machine.deliver([render_variables(values), *preparation_files(RULES)])


@pytest.mark.parametrize("status", [0, 2])
def test_the_first_start_of_a_new_machine_is_waited_for(machine: FakeMachine, mirror: Mirror, status: int) -> None:
    """2 is cloud-init's way to say that it is done and has something to complain about."""
    new(machine, mirror)
    machine.program("cloud-init", f"exit {status}")
    assert machine.step("prepare", "digest").returncode == 0
    assert machine.calls("cloud-init") == ["cloud-init status --wait"]


def test_a_first_start_that_failed_is_told_with_its_log(machine: FakeMachine, mirror: Mirror) -> None:
    new(machine, mirror)
    machine.program("cloud-init", 'case "$*" in *--wait) exit 1 ;; *) echo "status: error" ;; esac')
    machine.write("/var/log/cloud-init-output.log", "no such package\n")
    done = machine.step("prepare", "digest")
    assert done.returncode == 1
    assert "status: error" in done.stderr
    assert "no such package" in done.stderr


def test_a_machine_that_was_there_before_is_not_asked_about_its_first_start(machine: FakeMachine) -> None:
    machine.program("cloud-init", "exit 1")
    assert machine.step("prepare", "digest").returncode == 0


def test_nodes_without_a_private_network_need_wireguard(machine: FakeMachine, mirror: Mirror) -> None:
    """Else k3s starts and no pod reaches a pod of another node."""
    values = variables(mirror.url) | {"NEEDS_WIREGUARD": "yes"}
    machine.deliver([render_variables(values), *preparation_files(RULES)])
    assert machine.step("prepare", "digest").returncode == 0
    machine.program("modprobe", "exit 1")
    assert "its kernel has no WireGuard" in machine.step("prepare", "digest").stderr
    machine.path("/sys/module/wireguard").mkdir(parents=True)
    assert machine.step("prepare", "digest").returncode == 0


def test_two_runs_at_once_are_one_after_the_other(machine: FakeMachine) -> None:
    """A `pulumi up` that was killed leaves its command running."""
    machine.patience = 0
    machine.program("flock", "exit 1")
    done = machine.step("prepare", "digest")
    assert "another run works on it and did not end in 15 minutes" in done.stderr
