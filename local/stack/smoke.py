"""The short proof after `make up`: health, one computer, its kernel, its screen."""

from collections.abc import Callable

from local.failure import LocalError
from local.stack.rakazo_client import RakazoClient
from probes import kernel

BOT = "smoke"
OK = 200


def smoke(client: RakazoClient, runtime: kernel.Runtime, tell: Callable[[str], None]) -> None:
    """Raise LocalError with what is wrong, or tell each thing that was seen; leaves no computer behind."""
    health = client.wait_healthy()
    if health.get("sandbox") != "kubernetes":
        raise LocalError(
            f"/health says sandbox {health.get('sandbox')!r} instead of 'kubernetes': api does not make computers; "
            "look at SANDBOX_PROVIDER and the image's age (kubectl -n rakazo logs deployment/rakazo-api)"
        )
    tell(f"health ok: runtime {health.get('runtime')}, sandbox {health['sandbox']}, jobs {health.get('jobs')}")
    computer = str(client.create(BOT)["name"])
    try:
        tell(f"computer {computer} created through the API")
        log = client.execute(computer, ["dmesg"])
        if wrong := kernel.fault(runtime, log.stdout + log.stderr):
            raise LocalError(wrong)
        tell(f"its kernel is {runtime}: {(log.stdout or log.stderr).splitlines()[0].strip()}")
        screen = client.screen(computer)
        if screen.status_code != OK:
            raise LocalError(f"the screen through web answered {screen.status_code}: {screen.text[:300]}")
        tell(f"screen reached through web: {len(screen.content)} bytes")
    finally:
        client.delete(computer)
