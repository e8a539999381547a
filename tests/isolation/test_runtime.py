"""Many commands in a gVisor computer; which kernel it has and where it runs is what test_verification proves."""

from concurrent.futures import ThreadPoolExecutor

from tests.deployments import Deployed
from tests.isolation.conftest import Computer


def test_fifty_commands_in_a_row_and_ten_at_once_run_in_a_gvisor_computer(
    deployed: Deployed, computer: Computer
) -> None:
    """B063: exec into gVisor pods failed now and then with a shim of another release."""

    def run(number: int) -> str:
        return deployed.rakazo.execute(computer.name, ["echo", str(number)]).stdout.strip()

    assert [run(number) for number in range(50)] == [str(number) for number in range(50)]
    with ThreadPoolExecutor(10) as pool:
        assert list(pool.map(run, range(10))) == [str(number) for number in range(10)]
