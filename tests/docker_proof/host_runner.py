"""Commands on a machine of an estate, in the place of an SSH connection to it, and the facts of its stack."""

import base64
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from components.proof.docker_facts import facts_of
from components.rakazo.docker_services import DOCKER_SERVICES
from components.rakazo.ranges import not_public
from components.rakazo.service_facts import service_facts
from local.cluster.addresses import NEIGHBOURS
from probes.docker.facts import DockerFacts
from probes.docker.machine import DOCKER, PATH
from probes.docker.runner import Did, MachineError
from probes.prober import Ran
from tests.docker_host import ADDRESS, NAME, DockerHost


@dataclass(frozen=True)
class HostRunner:
    """Runs what a verification asks for, as root and with the same path as over SSH."""

    host: DockerHost

    def run(self, command: Sequence[str], *, stdin: str = "", seconds: float = 60.0, urgent: bool = False) -> Did:
        """Run a command to its end; MachineError when it takes longer. Nobody waits here, so all are urgent."""
        # In base64, since the way back would turn one end of a line into another.
        program = 'set -o pipefail; "$@" | base64 --wrap=0'
        line = ["env", f"PATH={PATH}", DOCKER, "LC_ALL=C", "bash", "-c", program, "bash", *command]
        try:
            done = self.host.machine.run(line, stdin=stdin, seconds=seconds, check=False)
        except subprocess.TimeoutExpired as error:
            raise MachineError(f"{' '.join(command)[:80]}… did not end within {seconds:.0f} s") from error
        output = base64.b64decode(done.stdout).decode(errors="replace")
        return Did(exit_code=done.returncode, output=output, errors=done.stderr)

    def outside(self, command: Sequence[str], seconds: float) -> Ran:
        """Run a command where the estate's operator is."""
        done = self.host.estate.operator.run(command, seconds=seconds)
        return Ran(exit_code=done.returncode, output=done.stdout + done.stderr)


def facts(host: DockerHost) -> DockerFacts:
    """Return the facts of its stack, with a listener of the estate's outside in every range that has one."""
    services = [service_facts(service) for service in DOCKER_SERVICES if service.name != "migrate"]
    known = facts_of(host.settings, services, not_public())
    neighbours = tuple(f"{address}:80" for address in NEIGHBOURS)
    return known.model_copy(update={"machine": NAME, "address": ADDRESS, "neighbours": neighbours})
