"""`rakazo-infra local`: the embedded Kubernetes on this machine."""

import json
import shlex
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from operations.exit_codes import EXIT_CODES, UNHEALTHY
from operations.next_command import DEFAULT, environment_command, local_command

if TYPE_CHECKING:
    from local.cluster import Status

app = typer.Typer(
    no_args_is_help=True,
    help="The embedded Kubernetes: a real one that runs on this machine.",
    epilog=EXIT_CODES,
)
console = Console(stderr=True)

Name = Annotated[
    str, typer.Option("--name", envvar="RAKAZO_LOCAL_NAME", help="Which cluster; several run side by side.")
]
Every = Annotated[bool, typer.Option("--all", help="Every cluster of this checkout.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines on standard output.")]
DualStack = Annotated[
    bool, typer.Option("--dual-stack", help="A new cluster gets IPv6 beside IPv4; one that exists keeps what it has.")
]
Program = Annotated[str, typer.Argument(help="One program, such as kubelet; all of them when left out.")]
Lines = Annotated[int, typer.Option("--lines", min=1, help="How many lines of each log.")]


@app.command(epilog="Example: rakazo-infra local up --name other --dual-stack")
def up(name: Name = DEFAULT, dual_stack: DualStack = False, as_json: Json = False) -> None:
    """Start the cluster, or repair what of it is dead; harmless when all of it runs."""
    from local import cluster

    began = time.monotonic()
    facts = cluster.up(name, console, dual_stack=dual_stack)
    took = time.monotonic() - began
    if as_json:
        url = cluster.way_in(name)
        typer.echo(json.dumps({**asdict(facts), "way_in": url, "seconds": round(took, 1)}, indent=2))
        return
    console.print(f"cluster [bold]{name}[/bold] is up ({took:.1f} s)", highlight=False)
    if facts.dual_stack:
        console.print("  nodes, pods and Services have IPv6 beside IPv4", highlight=False)
    console.print(f"  way in to the application: {cluster.way_in(name)}", highlight=False)
    console.print(f"next: {local_command('deploy', name)}", highlight=False)


@app.command(epilog="Example: rakazo-infra local down --all")
def down(name: Name = DEFAULT, every: Every = False) -> None:
    """End the cluster and remove everything of it, also what a killed run or a deleted folder left."""
    from local import cluster

    for each in cluster.names() if every else [name]:
        if not cluster.down(each, console):
            console.print(f"there is no cluster {each}")
    console.print(f"next: {local_command('up', name)}", highlight=False)


@app.command(epilog="Example: rakazo-infra local status --json")
def status(name: Name = DEFAULT, as_json: Json = False) -> None:
    """Say what runs and why what is dead has ended; exit code 3 when something is wrong."""
    from local import cluster

    found = cluster.status(name)
    if as_json:
        typer.echo(json.dumps(found.as_json(), indent=2))
    else:
        _print_status(found)
    if not found.healthy:
        raise typer.Exit(UNHEALTHY)


def _print_status(found: "Status") -> None:
    table = Table("machine", "program", "pid", "state")
    for process in found.processes:
        state = "[green]runs[/green]" if process.alive else "[red]dead[/red]"
        table.add_row(process.machine, process.name, str(process.pid or "-"), state)
    output = Console()
    if found.processes:
        output.print(table)
    for process in found.processes:
        if not process.alive:
            output.print(f"[red]{process.name} on {process.machine} is dead[/red]; its last lines:")
            output.print(escape(process.last_lines), highlight=False)
    for complaint in found.complaints:
        output.print(f"[red]cluster {found.name}:[/red] {escape(complaint)}", highlight=False)
    if found.healthy:
        following = environment_command(found.name)
    else:
        following = local_command("up", found.name) + (" (repairs it)" if found.facts else "")
    output.print(f"next: {following}", highlight=False)


@app.command(epilog='Example: eval "$(rakazo-infra local env)"')
def env(name: Name = DEFAULT) -> None:
    """Print the shell lines that make plain kubectl, pulumi and rakazo-infra work on the cluster."""
    from local import cluster
    from local.stack.environment import environment
    from local.stack.folder import StackFolder

    cluster.environment(name)
    variables = environment(StackFolder(name=name))
    for variable, value in variables.items():
        typer.echo(f"export {variable}={shlex.quote(value)}")


@app.command(epilog="Example: rakazo-infra local logs kubelet --lines 100")
def logs(program: Program = "", name: Name = DEFAULT, lines: Lines = 40) -> None:
    """Print the ends of the programs' logs."""
    from local.cluster.logs import logs_of

    found = logs_of(name, program, lines)
    for title, text in found.items():
        typer.echo(f"==> {title}")
        typer.echo(text)
    console.print(f"next: {local_command('status', name)}", highlight=False)
