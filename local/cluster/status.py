"""What of a cluster runs, and why what does not run has ended."""

import datetime as dt
from dataclasses import asdict, dataclass
from typing import Any

from local.cluster import addresses, readiness
from local.cluster.api import Api
from local.cluster.folder import ClusterFolder, Facts
from local.cluster.plan import Plan, Program
from local.failure import LocalError
from local.log_end import log_end
from local.machines.records import ProcessRecord

STALE = dt.timedelta(seconds=60)
API_SECONDS = 3.0


def is_alive(folder: ClusterFolder, program: Program) -> bool:
    """Whether the recorded process of this program runs."""
    record = _record(folder, program.machine, program.name)
    return record is not None and record.alive


def _record(folder: ClusterFolder, machine: str, name: str) -> ProcessRecord | None:
    try:
        return ProcessRecord.read(folder.machine(machine).program_record(name))
    except (OSError, ValueError, TypeError):
        return None


@dataclass(frozen=True)
class ProcessStatus:
    """One process of a cluster."""

    machine: str
    name: str
    pid: int | None
    """The host's number; None when it was never started."""
    alive: bool
    last_lines: str
    """The end of its log when it is dead, otherwise empty."""


@dataclass(frozen=True)
class Status:
    """A cluster at one moment."""

    name: str
    facts: Facts | None
    """None when no start was ever completed."""
    processes: list[ProcessStatus]
    complaints: list[str]
    """What is wrong although every process runs: nodes that are not Ready, names without an answer."""

    @property
    def healthy(self) -> bool:
        """Whether everything runs and answers."""
        return self.facts is not None and not self.complaints and all(process.alive for process in self.processes)

    def as_json(self) -> dict[str, Any]:
        """Return it for machines."""
        return {**asdict(self), "healthy": self.healthy}


def _process(folder: ClusterFolder, machine: str, name: str) -> ProcessStatus:
    record = _record(folder, machine, name)
    alive = record is not None and record.alive
    pid = record.pid if record is not None else None
    return ProcessStatus(machine, name, pid, alive, "" if alive else log_end(folder.machine(machine).log_of(name)))


def _complaints(folder: ClusterFolder) -> list[str]:
    """Ask the cluster itself; called only when every process runs."""
    try:
        api = Api(folder.kubeconfig, API_SECONDS)
        nodes = readiness.unready_nodes(api, dt.datetime.now(dt.UTC) - STALE)
        return nodes + readiness.unanswered_names(folder.machine(addresses.SYSTEM.name))
    except (OSError, LocalError) as error:
        return [f"the API does not answer: {error}"]


def status(name: str) -> Status:
    """Look at the cluster without changing anything."""
    folder = ClusterFolder(name)
    if not folder.path.exists():
        return Status(name, None, [], ["it does not exist"])
    known = Plan(programs_folder=folder.path, group=folder.group, pause="")
    processes = [_process(folder, machine, "machine") for machine in known.machines()]
    processes += [_process(folder, program.machine, program.name) for program in known.programs()]
    facts = folder.facts()
    if facts is None:
        return Status(name, None, processes, ["its start was never completed"])
    complaints = _complaints(folder) if all(process.alive for process in processes) else []
    return Status(name, facts, processes, complaints)
