"""Builds beside each other."""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

Thing = TypeVar("Thing")
Result = TypeVar("Result")

AT_ONCE = 2
"""One build leaves cores idle while it links; a third would only compete for memory (2 GB each) and the disk."""


def run(build: Callable[[Thing], Result], things: Iterable[Thing]) -> list[Result]:
    """Build the things two at a time, started in their order; return the results in that order.

    After the first failure nothing further is started, the running build is finished, and the failure is raised.
    An interrupt ends it in the same way.
    """
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        tasks = [pool.submit(build, thing) for thing in things]
        try:
            done, waiting = wait(tasks, return_when=FIRST_EXCEPTION)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        for task in waiting:
            task.cancel()
    # A failure is raised before a result is asked of a task that was cancelled because of it.
    for task in done:
        task.result()
    return [task.result() for task in tasks]
