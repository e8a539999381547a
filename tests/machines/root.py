"""The root of every machine: a Debian with the packages of a cloud's image, built once and never written to."""

import shutil
from pathlib import Path

from rich.console import Console

from local.cache import Slot, images_root
from local.cache.content import content
from local.images import roots
from local.images.recipe import Root
from local.machines import packages

FORMAT = "1"
"""Raise it when this module builds the root differently."""

FILES = Path(__file__).parent / "debian"
"""Laid over the installed packages, path for path."""

ROOT = Root("server", "minbase", ("roots/base.txt", str(Path(__file__).parent / "packages.txt")))

PROGRAMS = {
    **packages.PROGRAMS,
    "systemd-nspawn": "systemd-container",
    "nft": "nftables",
}
"""What the host needs for machines, and the packages that bring it."""

MASKED = (
    # Links have the addresses that the estate gives them.
    "systemd-networkd.service",
    "systemd-networkd.socket",
    "systemd-networkd-wait-online.service",
    "systemd-resolved.service",
    # Devices are the host's.
    "systemd-udevd.service",
    "systemd-udevd-control.socket",
    "systemd-udevd-kernel.socket",
    "systemd-udev-trigger.service",
    "sys-kernel-debug.mount",
    "sys-kernel-tracing.mount",
    "dev-hugepages.mount",
    # Nobody sits at the machine; no test waits for the day on which these run.
    "console-getty.service",
    "getty.target",
    "apt-daily.timer",
    "apt-daily-upgrade.timer",
    "fstrim.timer",
    "dpkg-db-backup.timer",
    "e2scrub_all.timer",
    "e2scrub_reap.service",
)
DISABLED = (
    # There for programs that bring a service of their own.
    "containerd.service",
)
SYSTEM_UNITS = "etc/systemd/system"


def slot() -> Slot:
    """Where the root of exactly these packages and files belongs."""
    base = roots.root_slot(ROOT).directory.name
    return Slot.of(images_root() / "machine-root", (FORMAT, base, *MASKED, *DISABLED, *content(FILES)))


def ensure(console: Console) -> Path:
    """Return the root's directory, building it when it is missing (about a minute).

    LocalError: a program or a package cannot be had; the message says which and where the log is.
    """
    packages.ensure(console, PROGRAMS)
    place = slot()
    if not place.complete:
        console.print("building the machines' root, about a minute")
    return place.ensure(lambda workspace: _build(place.log, workspace))


def _build(log: Path, workspace: Path) -> Path:
    root = workspace / "root"
    roots.bootstrap(ROOT, "directory", root, log=log, workspace=workspace)
    shutil.copytree(FILES, root, dirs_exist_ok=True)
    units = root / SYSTEM_UNITS
    for name in MASKED:
        (units / name).unlink(missing_ok=True)
        (units / name).symlink_to("/dev/null")
    for name in DISABLED:
        (units / "multi-user.target.wants" / name).unlink(missing_ok=True)
    wanted = units / "sysinit.target.wants"
    wanted.mkdir(exist_ok=True)
    (wanted / "estate.service").symlink_to("../estate.service")
    # Each machine makes its own, as after the first boot of an image.
    for key in (root / "etc/ssh").glob("ssh_host_*"):
        key.unlink()
    (root / "etc/machine-id").write_text("")
    root.chmod(0o755)
    return root
