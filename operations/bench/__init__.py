"""`rakazo-infra bench`: figures of this machine, as ratios where two ways are compared in one run."""

from collections.abc import Sequence

PARTS = ("cluster", "deploy", "computers", "births", "density")


def run(*, only: Sequence[str]) -> None:
    """Measure the parts named in `only` (all when empty), and write docs/performance.md when all were."""
    from rich.console import Console

    from local.cluster import down
    from operations.bench import births, cluster, computers, density, deploy
    from operations.bench.report import write
    from operations.failure import OperationError

    unknown = sorted(set(only) - set(PARTS))
    if unknown:
        raise OperationError(f"--only {unknown[0]}: there is no such part; choose among {', '.join(PARTS)}")
    console = Console()
    wanted = only or PARTS
    measured = {}
    try:
        measured["cluster"] = cluster.measure(console)
        if "deploy" in wanted:
            measured["deploy"] = deploy.measure(console)
        if "computers" in wanted:
            measured["computers"] = computers.measure(console)
        if "births" in wanted:
            measured["births"] = births.measure(console)
        if "density" in wanted:
            measured["density"] = density.measure(console)
    finally:
        down(cluster.NAME, console)
    path = write(measured, complete=set(measured) == set(PARTS))
    console.print(f"\nwritten: {path}")
