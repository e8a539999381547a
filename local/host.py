"""What the embedded Kubernetes and its stand-in images need of the machine."""

import os
import platform
import sys

from local.failure import LocalError

INSTEAD = "use the `existing` target with the kubeconfig of a cluster that you have"
PROCESSORS = frozenset({"x86_64", "amd64"})


def require_host() -> None:
    """Raise LocalError where nothing of this can run, so that it is told before twenty minutes of building."""
    if sys.platform != "linux":
        raise LocalError(f"the embedded Kubernetes needs Linux, this is {sys.platform}: {INSTEAD}")
    require_processor()
    debian_release()
    if os.geteuid() != 0:
        raise LocalError(f"the embedded Kubernetes needs root for its namespaces: run it with sudo, or {INSTEAD}")


def require_processor() -> None:
    """Raise LocalError on another processor than x86-64: the stand-in's Postgres is built for that one only."""
    machine = platform.machine()
    if machine.lower() not in PROCESSORS:
        raise LocalError(f"the stand-in images need an x86-64 processor, this one is {machine}: {INSTEAD}")


def debian_release() -> str:
    """Return this Debian's code name; LocalError on any other system: the images are made of Debian's packages."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    if release.get("ID") != "debian" or "VERSION_CODENAME" not in release:
        name = release.get("PRETTY_NAME", "a system without /etc/os-release")
        raise LocalError(f"the stand-in images are made of Debian packages and this is {name}: {INSTEAD}")
    return release["VERSION_CODENAME"]
