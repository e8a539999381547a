"""`rakazo-infra verify`: the claims about the isolation, proven from inside pods or containers."""

import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from operations.exit_codes import FAILED_CLAIM, UNCHECKED

if TYPE_CHECKING:
    from rich.console import Console

    from probes.docker.facts import DockerFacts
    from probes.facts import Facts
    from probes.verification import Verification

    AnyFacts = Facts | DockerFacts

Stack = Annotated[str | None, typer.Option(help="The Pulumi stack; the selected one when left out.")]
Only = Annotated[
    list[str] | None,
    typer.Option(help="A claim or a group, such as out-public-web or birth; may be repeated."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines on standard output.")]
Report = Annotated[Path | None, typer.Option(help="Write a report for people: FILE.html or FILE.md.")]
Listing = Annotated[bool, typer.Option("--list", help="Print every claim and probe nothing.")]
Rights = Annotated[bool, typer.Option("--rights", help="Print the ClusterRole that a verification needs, and no more.")]
Kubeconfig = Annotated[
    Path | None,
    typer.Option(
        envvar="KUBECONFIG",
        help="How to reach the cluster; the context is the stack's. When left out: the stack's own, if it made the "
        "cluster, or else ~/.kube/config.",
        show_default=False,
    ),
]
EPILOG = (
    "Example: rakazo-infra verify --only out --only in --report isolation.html\n\n"
    "Exit codes: 0 every claim is proven or cannot be proven here, 1 a claim failed, 2 one could not be checked."
)
SUFFIXES = (".html", ".md")


def verify(
    *,
    stack: Stack = None,
    only: Only = None,
    report: Report = None,
    kubeconfig: Kubeconfig = None,
    as_json: Json = False,
    listing: Listing = False,
    rights: Rights = False,
) -> None:
    """Prove from inside that computers are isolated; leaves nothing behind, neither in a cluster nor on a machine."""
    from rich.console import Console

    from operations.failure import OperationError

    if report is not None and report.suffix not in SUFFIXES:
        raise typer.BadParameter(f"{report} ends with neither {' nor '.join(SUFFIXES)}", param_hint="--report")
    if rights:
        _print_rights()
        return
    console = Console(stderr=as_json)
    try:
        facts = _facts(stack)
        if listing:
            _print_claims(facts, console)
            return
        found = _run(facts, kubeconfig, only or [], stack, Console(stderr=True))
    except OperationError as error:
        from operations.failure import tell

        tell(error)
        raise typer.Exit(UNCHECKED) from error
    if report is not None:
        _write(report, found)
    _print(found, console, as_json=as_json, report=report)
    if found.failed:
        raise typer.Exit(FAILED_CLAIM)
    if found.unchecked:
        raise typer.Exit(UNCHECKED)


def _facts(stack: str | None) -> "AnyFacts":
    from operations.stack_facts import facts_of

    return facts_of(stack)


def _run(
    facts: "AnyFacts", kubeconfig: Path | None, only: list[str], stack: str | None, console: "Console"
) -> "Verification":
    from rich.text import Text

    from operations.verification import run_in_cluster, run_on_machine
    from probes.docker.facts import DockerFacts

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt  # as Ctrl-C: what was made is removed on the way out

    before = signal.signal(signal.SIGTERM, end)
    try:
        with console.status("reading the stack", spinner="dots") as status:

            def tell(line: str) -> None:  # a line may hold brackets, such as those of an address, which are no markup
                if console.is_terminal:
                    status.update(Text(line))
                else:
                    console.print(line, highlight=False, markup=False, soft_wrap=True)

            if isinstance(facts, DockerFacts):
                return run_on_machine(facts, only, stack, tell)
            return run_in_cluster(facts, kubeconfig, only, stack, tell)
    finally:
        signal.signal(signal.SIGTERM, before)


def _print(found: "Verification", console: "Console", *, as_json: bool, report: Path | None) -> None:
    from operations.report.document import as_document
    from operations.report.terminal import show

    if as_json:
        print(json.dumps(as_document(found), indent=2))  # noqa: T201 - the answer
        return
    show(found, console)
    if report is not None:
        console.print(f"report: {report}", highlight=False)
    elif found.failed or found.unchecked:
        wrong = [*found.failed, *found.unchecked][0].claim.id
        console.print(f"next: mend it, then rakazo-infra verify --only {wrong}", highlight=False)
    else:
        console.print("next: rakazo-infra verify --report isolation.html", highlight=False)


def _write(report: Path, found: "Verification") -> None:
    from operations.report.html import render_html
    from operations.report.markdown import render_markdown

    render = render_html if report.suffix == ".html" else render_markdown
    report.write_text(render(found), encoding="utf-8")


def _print_claims(facts: "AnyFacts", console: "Console") -> None:
    from rich.table import Table

    from operations.verification import claims_of

    table = Table("claim", "what is claimed", box=None)
    for claim in claims_of(facts):
        table.add_row(claim.id, claim.sentence)
    console.print(table)


def _print_rights() -> None:
    import yaml

    from probes.operator_rights import cluster_role

    print(yaml.safe_dump(cluster_role(), sort_keys=False), end="")  # noqa: T201 - the answer
