"""The node installer's call of systemd, on a whole Debian machine with a systemd of its own.

The embedded cluster's nodes have a stand-in for it (tests/node_manager.py), which is as right as this.
"""

from collections.abc import Iterator

import pytest

from components.runtimes.installer import program
from local.checkout import PROJECT
from tests.machines.estate import Estate
from tests.machines.machine import Machine

FOLDER = PROJECT / ".local" / ".systemd-test"
UNIT = "/etc/systemd/system/containerd.service"
RESTART = "from node import systemd; systemd.restart('/run/systemd/private', seconds=5)"
POWERLESS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"]
"""As the installer's container: root by its number alone."""

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    with Estate(FOLDER) as estate:
        made = estate.machine("node", "#cloud-config\n{}\n", public="192.175.48.101")
        made.start()
        made.run(["mkdir", "/root/node"])
        for name, text in program.modules().items():
            made.run(["tee", f"/root/node/{name}"], stdin=text)
        yield made


def install(machine: Machine, command: str) -> None:
    """Give the machine a containerd that is another program."""
    machine.run(["tee", UNIT], stdin=f"[Service]\nExecStart={command}\n")
    machine.run(["systemctl", "daemon-reload"])


def restart(machine: Machine) -> tuple[int, str]:
    """Run the installer's call with no capability at all."""
    call = [*POWERLESS, "env", "PYTHONPATH=/root", "python3", "-c", RESTART]
    done = machine.run(call, check=False)
    return done.returncode, done.stderr


def main_process(machine: Machine) -> str:
    return machine.run(["systemctl", "show", "--property=MainPID", "--value", "containerd.service"]).stdout.strip()


def test_root_without_a_capability_has_containerd_started_anew(machine: Machine) -> None:
    install(machine, "/bin/sleep infinity")
    machine.run(["systemctl", "start", "containerd.service"])
    before = main_process(machine)
    code, said = restart(machine)
    assert code == 0, said
    assert main_process(machine) not in {before, "0"}
    assert machine.run(["systemctl", "is-active", "containerd.service"]).stdout.strip() == "active"


def test_a_containerd_that_does_not_come_up_again_is_told(machine: Machine) -> None:
    install(machine, "/bin/false")
    code, said = restart(machine)
    assert code != 0
    assert "containerd.service does not run: it is failed; on the node, journalctl -u containerd.service" in said


def test_a_node_without_such_a_unit_is_told(machine: Machine) -> None:
    machine.run(["systemctl", "stop", "containerd.service"])
    machine.run(["sh", "-c", f"rm {UNIT}; ln -s /dev/null {UNIT}; systemctl daemon-reload"])
    code, said = restart(machine)
    assert code != 0
    assert "systemd does not start containerd.service anew" in said


def test_nobody_but_root_is_let_in(machine: Machine) -> None:
    nobody = ["setpriv", "--reuid=65534", "--clear-groups", "env", "PYTHONPATH=/tmp", "python3", "-c", RESTART]
    machine.run(["cp", "-r", "/root/node", "/tmp/node"])
    done = machine.run(nobody, check=False)
    assert done.returncode != 0
    assert "systemd cannot be asked" in done.stderr
