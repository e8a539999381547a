"""The verbs that put Rakazo on an embedded cluster: host, tools, images, deploy."""

from typing import TYPE_CHECKING, Any

from operations.local import Json, Name
from operations.next_command import DEFAULT

if TYPE_CHECKING:
    from rich.console import Console


def host() -> None:
    """Say whether the embedded Kubernetes can run on this machine, before anything is built for it."""
    from rich.console import Console

    from local.host import require_host
    from local.toolchain import find_go
    from operations.next_command import local_command

    require_host()
    find_go()
    Console().print(f"this machine can run it\nnext: {local_command('tools')}", highlight=False)


def tools() -> None:
    """Build what is missing of Kubernetes, gVisor, Pulumi and the rest; from source, once a machine."""
    from rich.console import Console

    from local.toolchain import ensure
    from operations.next_command import local_command

    console = Console()
    ensure(console)
    console.print(f"every program is built\nnext: {local_command('images')}", highlight=False)


def images() -> None:
    """Build the stand-in images that are missing; once a machine."""
    from rich.console import Console

    from local.host import require_host
    from local.images import ensure
    from operations.next_command import local_command

    console = Console()
    require_host()
    ensure(console)
    console.print(f"every image is built\nnext: {local_command('up')}", highlight=False)


def deploy(name: Name = DEFAULT, as_json: Json = False) -> None:
    """Deploy Rakazo on the embedded cluster with a real `pulumi up`, and look at it once."""
    import json
    import time
    from urllib.parse import urlsplit

    from rich.console import Console

    from local.cluster import way_in
    from local.failure import LocalError
    from local.host import require_host
    from local.images import ensure
    from local.stack.deployment import Deployment
    from local.stack.folder import StackFolder
    from local.stack.rakazo_client import RakazoClient
    from local.stack.smoke import smoke
    from operations.next_command import environment_command
    from operations.secrets import generate

    console = Console(stderr=as_json)
    require_host()
    url = way_in(name)
    built = ensure(console)
    references = {key: built[key].reference for key in ("app", "computer", "postgres")}
    port = urlsplit(url).port or 0
    deployment = Deployment(folder=StackFolder(name=name), images=references, port=port, secrets=generate())
    started = time.monotonic()
    outcome = deployment.up(quiet=as_json)
    if outcome.code != 0:
        shown = outcome.output or "its last lines above name the resource."
        raise LocalError(
            f"pulumi up ended with exit code {outcome.code}; {shown} "
            f"Look closer with: {environment_command(name)} && kubectl -n rakazo get pods,events"
        )
    took = time.monotonic() - started
    console.print(f"[green]✓[/] pulumi up in {took:.1f} s")
    seen: list[str] = []

    def tell(line: str) -> None:
        seen.append(line)
        console.print(f"[green]✓[/] {line}")

    smoke(RakazoClient(url), "gvisor", tell)
    if as_json:
        found: dict[str, Any] = {"cluster": name, "url": f"http://localhost:{port}", "seconds": round(took, 1)}
        print(json.dumps({**found, "images": references, "seen": seen}, indent=2))  # noqa: T201 — the answer
        return
    _tell_next(console, name, port)


def _tell_next(console: "Console", name: str, port: int) -> None:
    from operations.next_command import environment_command

    console.print(f"\nRakazo (a stand-in of it) is at [bold]http://localhost:{port}[/]\n\nNext:")
    for line in (
        f"{environment_command(name)}  # plain pulumi, kubectl and rakazo-infra work on it",
        "pulumi preview --stack local --expect-no-changes",
        f"curl http://localhost:{port}/health",
        f"make down NAME={name}",
    ):
        console.print(f"  {line}", highlight=False, soft_wrap=True)
