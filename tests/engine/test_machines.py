"""One whole Linux server: first boot, SSH, what its kernel lets it do, and a reboot.

Needs root. Proves the fixture that the targets `server` and `hetzner` are tested with; what a cloud's own images
bring beside Debian's packages is not proven here.
"""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from local.checkout import PROJECT
from tests.engine.estate_remains import host_before, remains_of
from tests.engine.host_state import HostState
from tests.machines import apt_lock
from tests.machines.addresses import PRIVATE_NIC
from tests.machines.estate import Estate
from tests.machines.machine import Machine

FOLDER = PROJECT / ".local" / ".machines-test"
CAP_NET_ADMIN, CAP_SYS_MODULE, CAP_SYS_TIME = 12, 16, 25

pytestmark = pytest.mark.timeout(600)


@dataclass(frozen=True)
class Keys:
    """The keys that a person and a machine hold."""

    folder: Path

    def path(self, owner: str) -> Path:
        """Return the private key's file, made when it is asked for first."""
        path = self.folder / owner
        if not path.exists():
            make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", owner, "-f", str(path)]
            subprocess.run(make, check=True, capture_output=True)
        return path

    def public(self, owner: str) -> str:
        return self.path(owner).with_suffix(".pub").read_text().strip()


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def before() -> HostState:
    return host_before(FOLDER)


@pytest.fixture(scope="module")
def estate(before: HostState) -> Iterator[Estate]:
    with Estate(FOLDER) as made:
        yield made


def user_data(keys: Keys, owner: str) -> str:
    document = {
        "ssh_deletekeys": True,
        "ssh_keys": {
            "ed25519_private": keys.path(owner).read_text(),
            "ed25519_public": keys.public(owner),
        },
        "ssh_authorized_keys": [keys.public("person")],
        "disable_root": False,
        "write_files": [{"path": "/etc/estate/told", "content": f"{owner}\n", "permissions": "0640"}],
        "runcmd": [["sh", "-c", "cat /etc/estate/told > /root/ran"]],
    }
    return "#cloud-config\n" + yaml.safe_dump(document)


@pytest.fixture(scope="module")
def first(estate: Estate, keys: Keys) -> Machine:
    machine = estate.machine("first", user_data(keys, "first"), public="192.175.48.101")
    machine.start()
    return machine


def ssh(
    estate: Estate, keys: Keys, machine: Machine, command: str, *, known: str
) -> "subprocess.CompletedProcess[str]":
    """Log in from the operator's place, trusting nothing but the host key of `known`."""
    hosts = keys.folder / "known_hosts"
    hosts.write_text(f"{machine.public} {keys.public(known)}\n")
    options = {
        "UserKnownHostsFile": hosts,
        "GlobalKnownHostsFile": "/dev/null",
        "StrictHostKeyChecking": "yes",
        "BatchMode": "yes",
        "IdentitiesOnly": "yes",
        "ConnectTimeout": 5,
    }
    flags = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
    login = ["ssh", "-F", "none", "-i", str(keys.path("person")), *flags, f"root@{machine.public}", command]
    return estate.operator.run(login)


def test_cloud_init_does_at_the_first_boot_what_the_user_data_says(first: Machine) -> None:
    first.wait_for_cloud_init()
    assert first.run(["cloud-init", "status"]).stdout.strip() == "status: done"
    assert first.run(["cat", "/root/ran"]).stdout == "first\n"
    assert first.run(["stat", "--format=%a %U", "/etc/estate/told"]).stdout == "640 root\n"
    assert first.run(["hostname"]).stdout.strip() == "first"
    assert "127.0.1.1" in first.run(["getent", "hosts", "first"]).stdout


def test_a_person_s_key_logs_in_over_ssh_and_only_the_given_host_key_is_shown(
    estate: Estate, keys: Keys, first: Machine
) -> None:
    assert ssh(estate, keys, first, "id -un; cat /etc/hostname", known="first").stdout == "root\nfirst\n"
    refused = ssh(estate, keys, first, "id -un", known="somebody-else")
    assert refused.returncode != 0
    assert "Host key verification failed" in refused.stderr
    there = first.run(["sh", "-c", "ls /etc/ssh/ssh_host_*_key"]).stdout.split()
    assert there == ["/etc/ssh/ssh_host_ed25519_key"], "a key that nobody pinned could be shown"


def test_systemd_is_content_and_no_unit_failed(first: Machine) -> None:
    first.wait_for_cloud_init()
    assert first.run(["systemctl", "is-system-running", "--wait"], check=False).stdout.strip() == "running", first.run(
        ["systemctl", "--failed", "--no-legend"]
    ).stdout


def test_a_reboot_keeps_the_disk_and_the_links_and_nothing_of_the_memory(first: Machine) -> None:
    first.run(["sh", "-c", "echo kept | tee /root/marker /var/lib/marker /run/marker; echo 1 > /etc/estate/told"])
    first.run(["iptables", "-A", "INPUT", "-s", "198.51.100.7", "-j", "DROP"])
    first.run(["ip", "link", "add", "leftover", "type", "bridge"])
    first.attach_private("10.0.1.11")
    first.reboot()
    assert first.run(["cat", "/root/marker", "/var/lib/marker", "/etc/estate/told"]).stdout == "kept\nkept\n1\n"
    assert first.run(["test", "-e", "/run/marker"], check=False).returncode == 1
    assert "198.51.100.7" not in first.run(["iptables", "-S"]).stdout
    links = first.run(["ip", "-brief", "link"]).stdout
    assert PRIVATE_NIC in links
    assert "leftover" not in links
    first.wait_for_cloud_init()
    assert first.run(["cat", "/root/ran"]).stdout == "first\n", "runcmd ran again, which is for the first boot"


def test_the_kernel_stays_the_host_s_whatever_a_machine_writes(estate: Estate, keys: Keys, first: Machine) -> None:
    setting = Path("/proc/sys/vm/overcommit_memory")
    was = setting.read_text()
    other = "1" if was.strip() == "0" else "0"
    first.run(["sysctl", "-qw", f"vm.overcommit_memory={other}", "net.ipv4.ip_forward=1"])
    assert first.run(["sysctl", "-n", "vm.overcommit_memory"]).stdout.strip() == other
    assert setting.read_text() == was
    first.run(["mkdir", "/sys/fs/cgroup/memory/of-a-program"])
    assert not Path("/sys/fs/cgroup/memory/of-a-program").exists()
    assert first.run(["sysctl", "-w", "kernel.core_pattern=x"], check=False).returncode != 0
    # Only looked at: a machine that could set the clock would set the host's.
    bounding = ssh(estate, keys, first, "grep CapBnd /proc/self/status /proc/1/status", known="first").stdout
    looked = first.run(["grep", "CapBnd", "/proc/self/status"]).stdout
    for line in (bounding + looked).splitlines():
        held = int(line.split()[-1], 16)
        assert held & 1 << CAP_NET_ADMIN, "the machine manages its own network"
        assert not held & (1 << CAP_SYS_TIME | 1 << CAP_SYS_MODULE), line


def test_what_containers_need_works(estate: Estate, keys: Keys, first: Machine) -> None:
    """Overlay mounts below /var and control groups that may be written, with runc as a user of both."""
    done = ssh(estate, keys, first, CONTAINER, known="first")
    assert done.returncode == 0, done.stderr
    assert "memory:/box\n" in done.stdout, "the container was given no group of its own"


CONTAINER = """
set -e
cd /var/lib && mkdir -p box/lower/usr box/upper box/work box/rootfs && cd box
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work rootfs
mount --rbind /usr rootfs/usr && ln -s usr/bin usr/lib usr/lib64 rootfs/
runc spec
sed -i 's/"sh"/"cat", "\\/proc\\/self\\/cgroup"/; s/"terminal": true/"terminal": false/' config.json
runc run box
umount -l rootfs/usr rootfs
"""


def test_apt_can_be_held_for_a_time(first: Machine) -> None:
    install = ["apt-get", "install", "--yes", "no-such-package"]
    apt_lock.hold(first, seconds=60.0)
    assert "Could not get lock" in first.run(install, check=False).stderr
    apt_lock.release(first)
    assert "Unable to locate package" in first.run(install, check=False).stderr


def test_a_machine_that_loses_its_power_is_gone_and_starts_again_as_it_was(first: Machine) -> None:
    first.run(["sh", "-c", "echo kept > /root/before-the-power-cut"])
    first.stop()
    assert not first.running
    first.start()
    assert first.run(["cat", "/root/before-the-power-cut"]).stdout == "kept\n"


def test_an_estate_that_ends_leaves_the_host_as_it_was(estate: Estate, before: HostState) -> None:
    """Last of this module: it ends the module's estate after everything above was done to it."""
    assert len(remains_of(estate)) > 3, "the check finds nothing of an estate that runs"
    estate.end()
    assert remains_of(estate) == []
    assert HostState.lasting_since(before) == {}
