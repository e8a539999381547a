"""The processes below one of ours, as the kernel lists them."""

from collections.abc import Iterator
from pathlib import Path


def children(pid: int) -> list[int]:
    """Return the children of a process; none when it is gone."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in path.read_text().split()]
        except OSError:
            continue  # the thread has ended meanwhile
    return found


def descendants(pid: int) -> Iterator[int]:
    """Yield every process below this one, parents first."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def first_process(pid: int) -> int | None:
    """Return the process below this one that is PID 1 of a namespace of its own; None when there is none."""
    depth = _depth(pid)
    for child in descendants(pid):
        numbers = _numbers(child)
        if len(numbers) > depth and numbers[-1] == "1":
            return child
    return None


def _depth(pid: int) -> int:
    return len(_numbers(pid))


def _numbers(pid: int) -> list[str]:
    """Return a process' numbers, from the host's pid namespace to its own."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return []
    return next((line.split()[1:] for line in lines if line.startswith("NSpid:")), [])
