"""Debian packages whose programs the machines and the images use."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
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
POLICY = Path("/usr/sbin/policy-rc.d")
REFUSE_STARTING = "#!/bin/sh\n# Of rakazo-infra, while it installs packages: no service is started.\nexit 101\n"
"""What Debian's maintainer scripts ask before they start a service; 101 forbids it. The comment tells whose it is."""


def missing_packages(programs: Mapping[str, str] | None = None) -> list[str]:
    """Return the packages to install, each once, in a stable order; by default those of PROGRAMS."""
    missing = {
        package
        for program, package in (PROGRAMS if programs is None else programs).items()
        if not (Path(program).exists() if program.startswith("/") else shutil.which(program, path=SEARCHED))
    }
    return sorted(missing)


def ensure(console: Console, programs: Mapping[str, str] | None = None) -> None:
    """Install what is missing with apt-get; raises LocalError with the command to run where that is impossible.

    `programs` is what must be found, with the package that brings it; by default PROGRAMS.
    """
    missing = missing_packages(programs)
    if not missing:
        remove_forgotten()
        return
    wanted = " ".join(missing)
    if shutil.which("apt-get") is None:
        raise LocalError(
            f"programs of the Debian packages {wanted} are missing and there is no apt-get here: install them with "
            "this system's package manager, or use the `existing` target."
        )
    if os.geteuid() != 0:
        raise LocalError(
            f"the Debian packages {wanted} are missing and only root can install them: "
            f"run `sudo apt-get install {wanted}`, or use the `existing` target."
        )
    console.print(f"installing Debian packages: {wanted}")
    with services_not_started():
        _install(missing)


def remove_forgotten(policy: Path = POLICY) -> None:
    """Remove the policy of a run that was killed: it would keep every later package's service from starting."""
    with contextlib.suppress(OSError):
        if policy.read_bytes() == REFUSE_STARTING.encode():
            policy.unlink()


@contextlib.contextmanager
def services_not_started(policy: Path = POLICY) -> Iterator[None]:
    """Keep packages from starting services meanwhile; another's policy is left alone and decides.

    A policy with our text is ours, left by a run that was killed: it is taken over, and removed at the end.
    LocalError when the place cannot be written to.
    """
    ours = not policy.exists() or policy.read_bytes() == REFUSE_STARTING.encode()
    if ours:
        try:
            policy.write_text(REFUSE_STARTING, encoding="ascii")
            policy.chmod(0o755)
        except OSError as error:
            raise LocalError(
                f"{policy} keeps Debian packages from starting services and cannot be written ({error.strerror}): "
                f"install them by hand with `apt-get install {' '.join(missing_packages())}`."
            ) from error
    try:
        yield
    finally:
        if ours:
            policy.unlink(missing_ok=True)


def _install(packages: Sequence[str]) -> None:
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", "--quiet", *arguments],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 and arguments[0] == "install":
            last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
            raise LocalError(f"`apt-get install {' '.join(packages)}` failed: run it by hand. Its last lines:\n{last}")
