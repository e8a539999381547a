"""The line that a verb ends with: what a person types next."""

import shutil

DEFAULT = "default"
"""The cluster's name that no option has to say."""


def local_command(verb: str, name: str = DEFAULT) -> str:
    """Return the command line of a verb of `rakazo-infra local`, as it works in this shell from the checkout."""
    program = "rakazo-infra" if shutil.which("rakazo-infra") else ".venv/bin/rakazo-infra"
    return f"{program} local {verb}" + ("" if name == DEFAULT else f" --name {name}")


def environment_command(name: str = DEFAULT) -> str:
    """Return the line after which plain `kubectl`, `pulumi` and `rakazo-infra` work on the cluster."""
    return f'eval "$({local_command("env", name)})"'
