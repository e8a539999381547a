"""How long the embedded cluster takes from nothing to ready."""

from rich.console import Console

from operations.bench.figure import Figure

NAME = "bench"
RUNS = 3


def measure(console: Console) -> list[Figure]:
    """Start the cluster several times with everything built; the last one stays up for the other parts."""
    import time

    from local.cluster import down, up

    starts, ends = [], []
    for number in range(RUNS):
        down(NAME, console)
        started = time.monotonic()
        up(NAME, console)
        starts.append(time.monotonic() - started)
        if number < RUNS - 1:
            started = time.monotonic()
            down(NAME, console)
            ends.append(time.monotonic() - started)
    again = time.monotonic()
    up(NAME, console)
    return [
        Figure(name="`local up`: two nodes ready, images loaded, DNS answering", unit="s", runs=tuple(starts)),
        Figure(name="`local up` on a cluster that runs", unit="s", runs=(time.monotonic() - again,)),
        Figure(name="`local down`", unit="s", runs=tuple(ends)),
    ]
