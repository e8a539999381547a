"""Values of variables that are no secrets, read from a container as Docker keeps it."""

from collections.abc import Collection

from probes.docker.scene import DockerScene
from probes.prober import ProbeError
from probes.vantage import Vantage


def environment(scene: DockerScene, vantage: Vantage, names: Collection[str]) -> dict[str, str]:
    """Return those of the named variables that a service's container has; no other value is kept.

    ProbeError when it does not run.
    """
    if vantage in scene.missing:
        raise ProbeError(f"{vantage}: {scene.missing[vantage]}")
    (found,) = scene.containers.inspect(scene.around.names[str(vantage)])
    pairs = (line.partition("=") for line in found["Config"]["Env"] or [])
    return {name: value for name, _, value in pairs if name in names}
