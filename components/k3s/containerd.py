"""How k3s' containerd learns about gVisor, which depends on the release of k3s."""

from components.machines.file import File
from stacks.target.k3s import DROP_INS_SINCE, Release, reached

FOLDER = "/var/lib/rancher/k3s/agent/etc/containerd"
RUNSC_SETTINGS = "/etc/containerd/runsc.toml"
HANDLER = "runsc"

SECOND_CONTAINERD_SINCE = {31: 6, 32: 2}
"""Minor to the patch from which on k3s has containerd 2, which ignores the tables of containerd 1."""


def choose_runtime_file(release: Release) -> File:
    """Return the one file that makes containerd of this release of k3s know gVisor.

    A template begins with k3s' own, which declares runc already: a second declaration would keep containerd down.
    """
    if reached(release, DROP_INS_SINCE):
        return File(path=f"{FOLDER}/config-v3.toml.d/10-gvisor.toml", content=f"version = 3\n\n{_tables(2)}")
    if reached(release, SECOND_CONTAINERD_SINCE):
        return File(path=f"{FOLDER}/config-v3.toml.tmpl", content=f'{{{{ template "base" . }}}}\n\n{_tables(2)}')
    return File(path=f"{FOLDER}/config.toml.tmpl", content=f'{{{{ template "base" . }}}}\n\n{_tables(1)}')


def _tables(containerd: int) -> str:
    plugin = "io.containerd.cri.v1.runtime" if containerd > 1 else "io.containerd.grpc.v1.cri"
    table = f"plugins.'{plugin}'.containerd.runtimes.{HANDLER}"
    return f"""[{table}]
  runtime_type = "io.containerd.runsc.v1"

[{table}.options]
  TypeUrl = "io.containerd.runsc.v1.options"
  ConfigPath = "{RUNSC_SETTINGS}"
"""
