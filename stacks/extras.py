"""Python packages that one target needs and others do not."""

from importlib.util import find_spec

EXTRAS = {
    "existing": (),
    "server": ("pulumi_command", "asyncssh"),
    "hetzner": ("pulumi_command", "pulumi_hcloud", "pulumi_tls", "asyncssh"),
    "digitalocean": ("pulumi_digitalocean",),
    "gke": ("pulumi_gcp",),
    "eks": ("pulumi_aws",),
}
"""Modules by the target's kind, which is also the name of the extra that brings them."""


def extra_faults(target: str) -> list[str]:
    """Say which packages of a target are not installed, with the command that adds them."""
    missing = [module for module in EXTRAS[target] if find_spec(module) is None]
    if not missing:
        return []
    return [
        (
            f"rakazo:settings.target.kind is {target}, which needs {' and '.join(missing)}; "
            f"write: uv sync --extra {target}"
        )
    ]
