"""Limits of the kernel that many pods, or containers, on one machine run into."""

FILE = "/etc/sysctl.d/90-rakazo-infra.conf"
LIMITS = {
    # Each pod's shim watches with two instances as root; the default, 128, ends at some sixty pods.
    "fs.inotify.max_user_instances": 8192,
    # A desktop watches its home directory, file by file.
    "fs.inotify.max_user_watches": 1048576,
}


def render_limits() -> str:
    """Return them as systemd reads them at each start."""
    lines = [f"{key} = {value}" for key, value in LIMITS.items()]
    return "\n".join(["# Written by rakazo-infra.", *lines]) + "\n"
