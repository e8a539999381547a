"""gVisor's own settings on a node."""

from stacks.target.gvisor import GvisorSettings

HOME = "/usr/local/lib/gvisor"


def render_runsc(settings: GvisorSettings) -> str:
    """Return runsc.toml.

    It names the release's own program, so that a computer is served to its end by the release that started it.
    Nothing is said about control groups: these releases see from the path which driver the kubelet uses, and a value
    of ours could only contradict it.
    """
    return f"""# Written by rakazo-infra.
binary_name = "{HOME}/{settings.release}/runsc"

[runsc_config]
  platform = "{settings.platform}"
  network = "sandbox"
  host-uds = "none"
"""
