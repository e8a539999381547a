"""The command `rakazo-infra`: every verb is a module of this package, imported when it is called."""

import os
from pathlib import Path
from typing import Annotated

import typer

from operations import leftovers, local, local_stack, verify
from operations.exit_codes import EXIT_CODES

app = typer.Typer(
    name="rakazo-infra",
    help="Rakazo on your infrastructure, with its computers isolated and proven so.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,  # locals may hold secrets
    rich_markup_mode="rich",
)
for verb in (local_stack.host, local_stack.tools, local_stack.images, local_stack.deploy):
    local.app.command(epilog=f"Example: rakazo-infra local {verb.__name__}")(verb)
app.add_typer(local.app, name="local")
app.command(epilog=verify.EPILOG)(verify.verify)
app.command(epilog=leftovers.EPILOG)(leftovers.leftovers)


@app.command(
    epilog="Example: rakazo-infra bench --only cluster",
)
def bench(
    only: Annotated[
        list[str] | None, typer.Option(help="Measure only this part: cluster, deploy, computers, births, density.")
    ] = None,
) -> None:
    """Measure this machine and write docs/performance.md."""
    from operations.bench import run

    run(only=only or [])


def main() -> None:
    """Run the command line; an expected failure is one message and exit code 1, never a traceback."""
    from operations.failure import reported

    _forget_removed_temporary_folder()
    with reported():
        app()


def _forget_removed_temporary_folder() -> None:
    """Go on without a TMPDIR that is gone: the shell of a cluster that was ended still has the cluster's."""
    if not Path(os.environ.get("TMPDIR", "/")).is_dir():
        del os.environ["TMPDIR"]
