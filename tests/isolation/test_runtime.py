"""Many commands in a gVisor computer, and what is said when the settings promise another kernel than it has."""

from concurrent.futures import ThreadPoolExecutor

from kubernetes import client

from probes import kernel
from probes.claim import State
from probes.verification import verify
from tests.deployments import Deployed, facts_of
from tests.isolation import breaks
from tests.isolation.conftest import Computer
from tests.isolation.overlays import Cluster


def test_fifty_commands_in_a_row_and_ten_at_once_run_in_a_gvisor_computer(
    deployed: Deployed, computer: Computer
) -> None:
    """B063: exec into gVisor pods failed now and then with a shim of another release."""

    def run(number: int) -> str:
        return deployed.rakazo.execute(computer.name, ["echo", str(number)]).stdout.strip()

    assert [run(number) for number in range(50)] == [str(number) for number in range(50)]
    with ThreadPoolExecutor(10) as pool:
        assert list(pool.map(run, range(10))) == [str(number) for number in range(10)]


def test_an_ordinary_container_reads_the_boot_id_that_its_node_reports(deployed: Deployed) -> None:
    """B054: so whoever reads another one is on another kernel. gVisor's is its own, or none."""
    reported = {node.status.node_info.boot_id for node in client.CoreV1Api(deployed.api).list_node().items}
    seen = deployed.pods(deployed.application).execute(deployed.pod_of("api"), ["cat", kernel.BOOT_ID]).output.strip()
    assert seen in reported
    assert kernel.boot_fault(seen, seen) is not None


def test_neither_gvisor_nor_the_nodes_own_kernel_passes_for_a_virtual_machine(deployed: Deployed) -> None:
    """B054: Kata itself cannot run here, so this is the half of its claim that can be shown: who is refused."""
    promised = facts_of(deployed).model_copy(update={"runtime": "kata"})

    def cause() -> str:
        (found,) = verify(deployed.api, promised, only=["kernel-runtime"]).results
        assert found.state is State.FAILED
        return found.cause

    assert "runs under gVisor although the settings say kata" in cause()
    with breaks.false_handler(Cluster(deployed)):
        assert "nothing shows a virtual machine between them" in cause()
