"""The verbs that put Rakazo on an embedded cluster: tools, images, deploy."""

from operations.local import DEFAULT, Name


def tools() -> None:
    """Build what is missing of Kubernetes, gVisor, Pulumi and the rest; from source, once a machine."""
    from rich.console import Console

    from local.toolchain import ensure

    ensure(Console())


def images() -> None:
    """Build the stand-in images that are missing; once a machine."""
    from rich.console import Console

    from local.images import ensure

    ensure(Console())


def deploy(name: Name = DEFAULT) -> None:
    """Deploy Rakazo on the embedded cluster with a real `pulumi up`, and look at it once.

    Example: rakazo-infra local deploy --name default
    """
    import time
    from urllib.parse import urlsplit

    from rich.console import Console

    from local.cluster import way_in
    from local.failure import LocalError
    from local.images import ensure
    from local.stack.deployment import Deployment
    from local.stack.folder import StackFolder
    from local.stack.rakazo_client import RakazoClient
    from local.stack.smoke import smoke
    from operations.secrets import generate

    console = Console()
    built = ensure(console)
    references = {key: built[key].reference for key in ("app", "computer", "postgres")}
    url = way_in(name)
    port = urlsplit(url).port or 0
    deployment = Deployment(folder=StackFolder(name=name), images=references, port=port, secrets=generate())
    started = time.monotonic()
    outcome = deployment.up(quiet=False)
    if outcome.code != 0:
        raise LocalError(
            f"pulumi up ended with exit code {outcome.code}; its last lines above name the resource. "
            f'Look closer with: eval "$(rakazo-infra local env --name {name})" && kubectl -n rakazo get pods,events'
        )
    console.print(f"[green]✓[/] pulumi up in {time.monotonic() - started:.1f} s")
    smoke(RakazoClient(url), "gvisor", lambda line: console.print(f"[green]✓[/] {line}"))
    console.print(f"\nRakazo (a stand-in of it) is at [bold]http://localhost:{port}[/]\n\nNext:")
    for line in (
        f'eval "$(.venv/bin/rakazo-infra local env --name {name})"  # plain pulumi and kubectl work on it',
        "pulumi preview --stack local --expect-no-changes",
        f"curl http://localhost:{port}/health",
        f"make down NAME={name}",
    ):
        console.print(f"  {line}", highlight=False, soft_wrap=True)
