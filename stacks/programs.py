"""Programs that log in to one cloud's clusters and are not Python packages."""

from shutil import which

PROGRAMS = {
    "eks": ("aws", "the AWS CLI, version 2"),
    "gke": ("gke-gcloud-auth-plugin", "the Google Cloud CLI"),
}
"""Name of a program, and what it belongs to, by the target's kind."""


def program_faults(target: str) -> list[str]:
    """Say which program of a target is not there; found out later, a cluster would be made that nobody can enter."""
    if target not in PROGRAMS:
        return []
    program, owner = PROGRAMS[target]
    if which(program) is not None:
        return []
    return [
        (
            f"rakazo:settings.target.kind is {target}, whose clusters are entered with the program {program} of "
            f"{owner}, and PATH has none; install it"
        )
    ]
