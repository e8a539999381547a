"""Debian roots, made by mmdebstrap from the package sources that this machine uses."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Literal

from local import host
from local.cache import Slot, images_root
from local.failure import LocalError
from local.images.buildah import Buildah
from local.images.log import run
from local.images.recipe import Root

FORMAT = "1"
"""Raise it when this module builds a root differently: every root is then built anew."""

EPOCH = 1_700_000_000
"""Date of all files, in seconds since 1970: the same packages give the same layer on every machine.

Python's byte code is then checked by content, so that the changed dates do not make it stale.
"""

IMAGE = "image"

LEFT_OUT = (
    "/usr/share/doc/*",
    "/usr/share/info/*",
    "/usr/share/locale/*",
    "/usr/share/man/*",
    "/usr/share/lintian/*",
)
"""Files that nothing reads in a container."""

MERGED_USR = Path("/usr/share/mmdebstrap/hooks/merged-usr")


def root_slot(root: Root) -> Slot:
    """Where the root of exactly these packages belongs."""
    facts = (FORMAT, root.variant, platform.machine(), *LEFT_OUT, "packages", *root.packages)
    return Slot.of(images_root() / f"root-{root.name}", facts)


def ensure_root(root: Root) -> Path:
    """Return the image of a root as buildah writes it, building it if it is missing (about a minute).

    LocalError: the machine is no Debian, has no package sources, or a package cannot be installed.
    """
    slot = root_slot(root)
    return slot.ensure(lambda workspace: _build(root, slot.log, workspace)) / IMAGE


def sources() -> tuple[str, list[str]]:
    """Return this Debian's code name and its sources, as apt is configured here.

    Sources of other suites (a vendor's repository) are left out: a stand-in needs Debian alone.
    """
    codename = host.debian_release()
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"]
    listed = subprocess.run([*command, "Created-By: Packages"], capture_output=True, text=True, check=True).stdout
    suites = (codename, f"{codename}-updates", f"{codename}-security")
    found = sorted({line for line in listed.splitlines() if line.split()[1] in suites})
    if not found:
        raise LocalError(
            f"apt has no source for {codename}: add one below /etc/apt/sources.list.d and run `apt-get update`."
        )
    return codename, [f"deb {line}" for line in found]


def _build(root: Root, log: Path, workspace: Path) -> Path:
    (workspace / "context").mkdir()
    bootstrap(root, "tar", workspace / "context" / "root.tar", log=log, workspace=workspace)
    (workspace / "context" / "Containerfile").write_text("FROM scratch\nADD root.tar /\n", encoding="ascii")
    result = workspace / "result"
    result.mkdir()
    Buildah(workspace / "buildah", log).build(f"Debian root {root.name}", workspace / "context", result / IMAGE)
    return result


def bootstrap(root: Root, form: Literal["tar", "directory"], target: Path, *, log: Path, workspace: Path) -> None:
    """Install the root's packages into a new tarball or directory (about a minute).

    LocalError as `ensure_root` says; the workspace holds temporary files and is the caller's to remove.
    """
    codename, lines = sources()
    listed = workspace / "sources.list"
    listed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = ["mmdebstrap", "--mode=root", f"--format={form}", f"--variant={root.variant}"]
    if root.variant != "extract":
        command.append(f"--hook-dir={MERGED_USR}")
    command += [f"--include={','.join(root.packages)}", *_apt_options()]
    command += [f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT]
    # A root that a crash leaves half written is never used, so nothing has to reach the disk at once.
    command.append("--dpkgopt=force-unsafe-io")
    # An extracted package is not installed, dpkg's exclusions do not reach it.
    command += ['--customize-hook=rm -rf "$1"/usr/share/doc "$1"/usr/share/man "$1"/var/log/*.log']
    command += [codename, str(target), str(listed)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH), "TMPDIR": str(workspace)}
    run(f"Debian root {root.name}", command, log, environment=environment)


def _apt_options() -> list[str]:
    """Take over how this machine reaches its sources: proxies and certificates, nothing else."""
    dump = subprocess.run(
        ["apt-config", "dump", "--no-empty", "Acquire"], capture_output=True, text=True, check=True
    ).stdout
    wanted = ("Acquire::http", "Acquire::https")
    return [f"--aptopt={line}" for line in dump.splitlines() if line.startswith(wanted)]
