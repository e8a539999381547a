"""How an expected failure reaches the person who typed the command."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class OperationError(Exception):
    """A failure whose message says what is wrong and what to do; shown without a traceback."""


@contextmanager
def reported() -> Iterator[None]:
    """Print an expected failure as one message on standard error and exit with code 1."""
    from local.failure import LocalError

    try:
        yield
    except (OperationError, LocalError) as error:
        tell(error)
        sys.exit(1)


def tell(error: Exception) -> None:
    """Print a failure on standard error."""
    from rich.console import Console
    from rich.markup import escape

    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[bold red]error:[/] {escape(str(error))}")
