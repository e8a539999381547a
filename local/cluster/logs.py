"""The logs of a cluster's programs."""

from local.cluster.folder import ClusterFolder
from local.failure import LocalError
from local.log_end import log_end


def logs_of(name: str, program: str, lines: int) -> dict[str, str]:
    """Return the last lines of the named program's logs on every machine, or of all programs for an empty name.

    LocalError when there is no such cluster or no such program.
    """
    folder = ClusterFolder(name)
    files = sorted((folder.path / "logs").glob("*.log"))
    if not files:
        raise LocalError(f"cluster {name} has no logs: run `rakazo-infra local up --name {name}` first")
    found = {path.stem: path for path in files if program in {"", path.stem, path.stem.partition(".")[2]}}
    if not found:
        known = ", ".join(sorted({path.stem.partition(".")[2] for path in files}))
        raise LocalError(f"there is no program {program!r}: one of {known}")
    return {title: log_end(path, lines) for title, path in found.items()}
