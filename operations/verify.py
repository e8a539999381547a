"""`rakazo-infra verify`: the claims about the isolation, proven from inside the pods."""

import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from operations.exit_codes import FAILED_CLAIM, UNCHECKED

if TYPE_CHECKING:
    from rich.console import Console

    from probes.facts import Facts
    from probes.verification import Verification

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
    """Prove from inside the pods that computers are isolated; leaves nothing behind in the cluster."""
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


def _facts(stack: str | None) -> "Facts":
    from operations.stack_facts import facts_of

    return facts_of(stack)


def _run(
    facts: "Facts", kubeconfig: Path | None, only: list[str], stack: str | None, console: "Console"
) -> "Verification":
    from kubernetes.client.exceptions import ApiException
    from urllib3.exceptions import HTTPError

    from operations.failure import OperationError
    from operations.stack_facts import kubeconfig_of, state_of
    from probes.access import AccessError, connect
    from probes.pods import PodError, said
    from probes.stage import StageError
    from probes.verification import verify as verified

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt  # as Ctrl-C: the pods are removed on the way out

    before = signal.signal(signal.SIGTERM, end)
    try:
        way = str(kubeconfig) if kubeconfig else kubeconfig_of(stack) or str(Path("~/.kube/config").expanduser())
        operator = connect(way, facts.context)
        with console.status("reading the cluster", spinner="dots") as status:

            def tell(line: str) -> None:
                if console.is_terminal:
                    status.update(line)
                else:
                    console.print(line, highlight=False, soft_wrap=True)

            return verified(operator, facts, only=only, documents={"the stack's state": state_of(stack)}, tell=tell)
    except ApiException as error:
        hint = "; `rakazo-infra verify --rights` prints what it needs" if error.status in (401, 403) else ""
        raise OperationError(f"the API server refused: {said(error)}{hint}") from error
    except HTTPError as error:
        raise OperationError(f"the API server at {facts.context} does not answer: {error}") from error
    except (AccessError, StageError, PodError, ValueError, OSError) as error:
        raise OperationError(str(error)) from error
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


def _print_claims(facts: "Facts", console: "Console") -> None:
    from rich.table import Table

    from probes.claims import every_claim
    from probes.surroundings import Surroundings

    table = Table("claim", "what is claimed", box=None)
    for claim in every_claim(facts, Surroundings()):
        table.add_row(claim.id, claim.sentence)
    console.print(table)


def _print_rights() -> None:
    import yaml

    from probes.operator_rights import cluster_role

    print(yaml.safe_dump(cluster_role(), sort_keys=False), end="")  # noqa: T201 - the answer
