"""`rakazo-infra leftovers`: what a project at Hetzner Cloud still has of a stack, whatever Pulumi's state says."""

import json
import os
from typing import TYPE_CHECKING, Annotated

import typer

from operations.exit_codes import NOT_ASKED, REMAINS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from operations.hetzner_project import Remainder

Stack = Annotated[
    str | None, typer.Option(help="The Pulumi stack; the selected one when left out. It need not exist any more.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines on standard output.")]
EPILOG = (
    "Example: rakazo-infra leftovers --stack team\n\n"
    "The token is the stack's own (rakazo:hcloud_token); HCLOUD_TOKEN counts when the stack has none.\n\n"
    f"Exit codes: 0 nothing is there, {REMAINS} something is, {NOT_ASKED} Hetzner could not be asked."
)
VARIABLE = "HCLOUD_TOKEN"
KEY = "rakazo:hcloud_token"


def leftovers(*, stack: Stack = None, as_json: Json = False) -> None:
    """List everything at Hetzner that carries the stack's labels; nothing is changed."""
    from rich.console import Console

    from components.targets.hetzner.names import selector
    from operations.failure import OperationError, tell

    try:
        name = _name(stack)
        found = _ask(_token(stack), selector(name), Console(stderr=True))
    except OperationError as error:
        tell(error)
        raise typer.Exit(NOT_ASKED) from error
    if as_json:
        print(json.dumps(_document(name, found), indent=2))  # noqa: T201 - the answer
    else:
        _print(name, found, Console())
    if found:
        raise typer.Exit(REMAINS)


def _name(stack: str | None) -> str:
    """Return the stack's name alone, as it stands in the labels."""
    from operations.stack_facts import pulumi

    return (stack or pulumi("stack", "--show-name", stack=None)).strip().rpartition("/")[2]


def _token(stack: str | None) -> str:
    """Return the stack's token: the shell's may be another project's, in which nothing of it would be found."""
    from operations.failure import OperationError
    from operations.stack_facts import pulumi

    try:
        return pulumi("config", "get", KEY, stack=stack).strip()
    except OperationError as error:
        token = os.environ.get(VARIABLE, "")
        if token:
            return token
        raise OperationError(
            f"{error}\nWithout {KEY} of the stack, set {VARIABLE} to a token of its project; one that may only read "
            "is enough"
        ) from error


def _ask(token: str, labels: str, console: "Console") -> list["Remainder"]:
    from operations.hetzner_project import remainders

    with console.status("asking Hetzner", spinner="dots") as status:

        def tell(line: str) -> None:
            if console.is_terminal:
                status.update(line)

        return remainders(token, labels, tell)


def _document(name: str, found: list["Remainder"]) -> dict[str, object]:
    return {"stack": name, "remains": [each.as_json() for each in found]}


def _print(name: str, found: list["Remainder"], console: "Console") -> None:
    lines = []
    if found:
        console.print(_table(found))
        lines.append(f"{len(found)} left. What it costs is what Hetzner's console says: no price is known here.")
        if any(each.protected for each in found):
            lines.append("what is protected is deleted after `protect: false` and a `pulumi up`")
        lines.append(f"next: pulumi destroy --stack {name}; what it does not know, delete in Hetzner's console")
    else:
        lines.append(f"nothing at Hetzner carries the labels of {name}")
        lines.append(f"next: pulumi stack rm {name}")
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)


def _table(found: list["Remainder"]) -> "Table":
    from rich.table import Table

    table = Table(box=None)
    for column in ("what", "name", "id", "since (UTC)", "protected", "per month"):
        table.add_column(column, no_wrap=column != "name", overflow="fold")
    for each in found:
        protected = "yes" if each.protected else "no"
        table.add_row(each.kind, each.name, str(each.id), each.created or "unknown", protected, "unknown")
    return table
