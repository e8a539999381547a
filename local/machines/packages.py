"""Debian packages whose programs the machines and the images use."""

import os
import shutil
import subprocess
from pathlib import Path

from rich.console import Console

from local.failure import LocalError

# What must be found, and the package that brings it.
PROGRAMS = {
    "containerd": "containerd",
    "ctr": "containerd",
    "runc": "runc",
    "iptables": "iptables",
    "iptables-restore": "iptables",
    "ipset": "ipset",
    "conntrack": "conntrack",
    "socat": "socat",
    "ethtool": "ethtool",
    "ip": "iproute2",
    "nsenter": "util-linux",
    "buildah": "buildah",
    "mmdebstrap": "mmdebstrap",
    "/usr/lib/cni/ptp": "containernetworking-plugins",
    "/usr/lib/cni/host-local": "containernetworking-plugins",
}
SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
REFUSE_STARTING = "#!/bin/sh\nexit 101\n"  # what Debian's maintainer scripts take as "do not start services"


def missing_packages() -> list[str]:
    """Return the packages to install, each once, in a stable order."""
    missing = {
        package
        for program, package in PROGRAMS.items()
        if not (Path(program).exists() if program.startswith("/") else shutil.which(program, path=SEARCHED))
    }
    return sorted(missing)


def ensure(console: Console) -> None:
    """Install what is missing with apt-get; raises LocalError with the command to run where that is impossible."""
    missing = missing_packages()
    if not missing:
        return
    wanted = " ".join(missing)
    if shutil.which("apt-get") is None:
        raise LocalError(
            f"programs of the Debian packages {wanted} are missing and there is no apt-get here: install them with "
            "this system's package manager, or use the `existing` target."
        )
    console.print(f"installing Debian packages: {wanted}")
    policy = Path("/usr/sbin/policy-rc.d")
    guarded = not policy.exists()
    if guarded:
        policy.write_text(REFUSE_STARTING)
        policy.chmod(0o755)
    try:
        for arguments in (["update"], ["install", "--yes", "--no-install-recommends", *missing]):
            done = subprocess.run(
                ["apt-get", "--quiet", *arguments],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode != 0 and arguments[0] == "install":
                last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
                raise LocalError(f"`apt-get install {wanted}` failed: run it by hand. Its last lines:\n{last}")
    finally:
        if guarded:
            policy.unlink(missing_ok=True)
