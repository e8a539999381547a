"""The computer's kernel and place, seen from inside; cannot prove Kata or hardware isolation."""

from concurrent.futures import ThreadPoolExecutor

from kubernetes import client

from probes import kernel
from probes.pods import Pods
from tests.deployments import Deployed
from tests.isolation.conftest import Computer
from tests.rakazo_account import as_computer


def test_a_computer_runs_on_the_kernel_of_gvisor(deployed: Deployed, computer: Computer) -> None:
    """B045: the class's name proves nothing, what the kernel says of itself does."""
    log = deployed.rakazo.execute(computer.name, ["dmesg"])
    assert kernel.fault("gvisor", log.stdout + log.stderr) is None


def test_a_handler_that_is_silently_runc_is_found(deployed: Deployed, outsiders: Pods) -> None:
    """B045: a class called gvisor whose handler is runc gives the named failure."""
    node = client.NodeV1Api(deployed.api)
    node.create_runtime_class({"metadata": {"name": "false-gvisor"}, "handler": "runc"})
    try:
        pod = as_computer("silently-runc", deployed)
        pod["spec"]["runtimeClassName"] = "false-gvisor"
        outsiders.start(pod)
        log = outsiders.execute("silently-runc", ["dmesg"]).output
    finally:
        outsiders.delete("silently-runc")
        node.delete_runtime_class("false-gvisor")
    wrong = kernel.fault("gvisor", log)
    assert wrong is not None
    assert "the handler behind its RuntimeClass is not gVisor" in wrong


def test_computers_are_placed_on_the_computers_pool_and_nothing_else_is(
    deployed: Deployed, computer: Computer, neighbour: Computer
) -> None:
    """B047: Rakazo writes no selector and no toleration, so placement comes from the RuntimeClass."""
    core = client.CoreV1Api(deployed.api)
    pool = {node.metadata.name for node in core.list_node(label_selector="rakazo-infra/pool=computers").items}
    where = {pod.metadata.name: pod.spec.node_name for pod in core.list_namespaced_pod(deployed.computers).items}
    assert {where[computer.name], where[neighbour.name]} <= pool
    ours = core.list_namespaced_pod(deployed.application).items
    assert ours, "no pod of the application"
    assert [pod.metadata.name for pod in ours if pod.spec.node_name in pool] == []


def test_fifty_commands_in_a_row_and_ten_at_once_run_in_a_gvisor_computer(
    deployed: Deployed, computer: Computer
) -> None:
    """B063: exec into gVisor pods failed now and then with a shim of another release."""

    def run(number: int) -> str:
        return deployed.rakazo.execute(computer.name, ["echo", str(number)]).stdout.strip()

    assert [run(number) for number in range(50)] == [str(number) for number in range(50)]
    with ThreadPoolExecutor(10) as pool:
        assert list(pool.map(run, range(10))) == [str(number) for number in range(10)]


def test_a_computer_holds_no_token_and_no_capability(deployed: Deployed, computer: Computer) -> None:
    """B104: neither the account's token nor a capability reaches a computer."""
    token = deployed.rakazo.execute(computer.name, ["ls", "/var/run/secrets/kubernetes.io"])
    assert token.exit_code != 0
    status = deployed.rakazo.execute(computer.name, ["cat", "/proc/self/status"]).stdout
    assert [line.split()[1] for line in status.splitlines() if line.startswith("CapBnd:")] == ["0" * 16]
