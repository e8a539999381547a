"""Whether the machine's firewall holds a computer's network back, seen from inside of that network.

A short container on the network tries the machine itself, by TCP and by ping, and the place where clouds keep
credentials. The rules drop all of it in silence; whatever answers, a refusal too, shows that they are not there.
Silence is taken for rules. So two things are not seen, and are for whoever proves the deployment: a missing range
among them, and that all are missing on a machine without metadata service whose firewall ignores containers anyway.
"""

from typing import Any

from .container import OWNER, bridge_name, confinement
from .docker_engine import DockerEngine

METADATA = "169.254.169.254"
LABELS = {"rakazo.egress-check": "true"}
SECONDS = 1.0
"""For which silence has to last; an answer of the machine itself takes less than a millisecond."""
MEMORY = 64 << 20
PING = "ping"
"""In the place of a port."""
SCRIPT = f"""
import concurrent.futures, errno, socket, sys

BLOCKED = {{errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EACCES, errno.EPERM, errno.EPROTONOSUPPORT}}

def ping(host):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP) as echo:
        echo.settimeout({SECONDS})
        echo.connect((host, 0))
        echo.send(bytes([8, 0, 0, 0, 0, 0, 0, 1]))
        echo.recv(64)

def answered(place):
    host, _, port = place.rpartition(":")
    try:
        if port == "{PING}":
            ping(host)
        else:
            socket.create_connection((host, int(port)), {SECONDS}).close()
    except TimeoutError:
        return None
    except OSError as error:
        return None if error.errno in BLOCKED else f"{{place}} answers: {{error.strerror}}"
    return f"{{place}} answers"

with concurrent.futures.ThreadPoolExecutor() as pool:
    found = [one for one in pool.map(answered, sys.argv[1:]) if one]
print("; ".join(found))
sys.exit(7 if found else 0)
"""
REACHED = 7
CLOSED_PORT, OPEN_PORT = 9, 22
"""Of the machine: nobody listens on the first one, an answer of either is one."""


class EgressError(Exception):
    """The rules are missing, or nobody could look."""


class EgressCheck:
    """Looks from a container of the computers' own image."""

    def __init__(self, docker: DockerEngine, image: str) -> None:
        self._docker = docker
        self._image = image

    async def require(self, bot: str, network: dict[str, Any]) -> None:
        """Return when the network is held back.

        Raises:
            EgressError: something answered that must not.

        """
        name = bridge_name(bot).replace("rakazo-c", "rakazo-egress-")
        await self._docker.remove(name)
        await self._docker.create(name, self._options(network["Name"], places(network)))
        try:
            await self._docker.start(name)
            status = await self._docker.wait(name)
            said = await self._docker.log(name)
        finally:
            await self._docker.remove(name)
        if status == REACHED:
            raise EgressError(f"egress rules are missing for {bridge_name(bot)}, so no computer starts: {said}")
        if status:
            raise EgressError(f"nobody can tell whether egress rules are there (exit status {status}): {said}")

    def _options(self, network: str, tried: list[str]) -> dict[str, Any]:
        return {
            "Image": self._image,
            "User": OWNER,
            "Tty": True,
            "Entrypoint": ["python3", "-I", "-S", "-B", "-c", SCRIPT],
            "Cmd": tried,
            "Labels": LABELS,
            "HostConfig": {**confinement(network), "Memory": MEMORY, "MemorySwap": MEMORY, "PidsLimit": 32},
        }


def places(network: dict[str, Any]) -> list[str]:
    """Return what is tried from a network: none of it may answer."""
    gateway = network["IPAM"]["Config"][0]["Gateway"].partition("/")[0]
    return [*(f"{gateway}:{way}" for way in (CLOSED_PORT, OPEN_PORT, PING)), f"{METADATA}:80"]
