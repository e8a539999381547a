"""The target `hetzner` with Docker: one server behind a stand-in of Hetzner's API, the rest as in test_docker_target.

The tests are one life of a stack, in their order. Nothing is proven about Hetzner beyond the stand-in's tables.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.deployments import steps
from tests.docker_host import call
from tests.estate_cloud import DOCKER, EstateCloud, estate_cloud
from tests.estate_docker import SERVICES
from tests.expected_plan import check_plan
from tests.hetzner_leftovers import leftovers

pytestmark = [pytest.mark.timeout(900), pytest.mark.slow]
STACK = "docker-hetzner"
SERVER = "rakazo-docker-hetzner-server-1"
WEB = "http://127.0.0.1:5173"
USER_DATA = "http://169.254.169.254/hetzner/v1/userdata"


@pytest.fixture(scope="module")
def cloud() -> Iterator[EstateCloud]:
    with estate_cloud(STACK, DOCKER) as made:
        yield made


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.server": {"type": "cx22"}}, "cx23"),
        ({"target.servers": {"type": "cx43", "count": 2}}, "target.servers belongs to Kubernetes"),
        ({"target.rebuild": {"server-1": 1}}, "target.rebuild is not a setting"),
        ({"target.admin_cidrs": ["0.0.0.0/0"]}, "admin_cidrs"),
        ({"runtime": {"kind": "gvisor"}}, "runtime.kind: gvisor does not go with computers.kind: docker"),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    cloud: EstateCloud, changes: dict[str, Any], says: str
) -> None:
    """B030, B038."""
    cloud.write(changes)
    outcome = cloud.stack.pulumi.run("preview")
    cloud.write()
    assert outcome.code != 0, outcome.output
    assert says in outcome.output, outcome.output
    assert cloud.project.summary() == {}


def test_a_preview_says_how_many_computers_fit_the_server(cloud: EstateCloud) -> None:
    """B065."""
    assert "cx43 has 16 GiB" in cloud.stack.pulumi.must("preview")


def test_one_command_makes_a_server_and_a_proven_rakazo_on_it(cloud: EstateCloud) -> None:
    """B030: the first location has sold out."""
    cloud.project.catalogue.sell_out("cx43", "fsn1")
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "claims proven" in outcome.output
    (server,) = cloud.project.all("server").values()
    assert (server["name"], server["location"]) == (SERVER, "nbg1")
    assert cloud.project.all("network") == {}


def test_what_is_up_needs_no_change(cloud: EstateCloud) -> None:
    """B001: also now that the first location has stock again."""
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


@pytest.mark.parametrize(
    ("change", "settings"),
    [
        ("image", {"target.image": "debian-13"}),
        ("another-administrator", {"target.admin_cidrs": ["198.51.100.8/32"]}),
        ("type", {"target.server": {"type": "cx53"}}),
        ("port", {"edge.web": 5180}),
    ],
)
def test_a_change_does_what_is_written_down_for_it_and_replaces_no_server(
    cloud: EstateCloud, change: str, settings: dict[str, Any]
) -> None:
    """B025."""
    cloud.write(settings)
    plan = steps(cloud.stack.pulumi.must("preview", "--json"))
    cloud.write()
    check_plan(STACK, change, plan)
    assert [name for name in plan.get("replace", []) if "server" in name] == []


def test_a_limit_is_proven_before_the_way_in_opens_again(cloud: EstateCloud) -> None:
    cloud.settings["computers"] = {**cloud.settings["computers"], "pids": 300}
    cloud.write()
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert "claims proven" in outcome.output


def test_the_user_data_is_there_for_the_server_and_not_for_a_computer_and_holds_no_secret(cloud: EstateCloud) -> None:
    machine = cloud.servers.named(SERVER)
    told = machine.run(["curl", "--silent", "--max-time", "5", USER_DATA]).stdout
    assert told.startswith("#cloud-config")
    assert [key for key, value in cloud.secrets.items() if value.strip() in told] == []
    status, computer = call(machine, f"POST {WEB}/api/computers", {"bot": "curious"})
    assert status == 201, computer
    way = f"POST {WEB}/api/computers/{computer['name']}/exec"
    assert call(machine, way, {"command": ["echo", "here"]})[1]["stdout"].strip() == "here"
    asks = f"import urllib.request; print(urllib.request.urlopen({USER_DATA!r}, timeout=5).read())"
    heard = call(machine, way, {"command": ["python3", "-c", asks]})[1]
    assert "cloud-config" not in heard["stdout"]
    assert "urlopen error" in heard["stderr"], heard


def test_after_a_restart_of_the_server_all_of_it_is_there_again(cloud: EstateCloud) -> None:
    machine = cloud.servers.named(SERVER)
    machine.stop()
    machine.start()
    machine.run(["systemctl", "start", "rakazo"], seconds=300)
    machine.run(["rakazo-egress", "check"])
    running = machine.run(["docker", "ps", "--format", '{{.Label "com.docker.compose.service"}}']).stdout.split()
    assert set(running) >= set(SERVICES) - {"migrate"}
    assert call(machine, f"POST {WEB}/rpc/health", {})[0] == 200


def test_no_secret_is_in_the_state_or_the_plan(cloud: EstateCloud) -> None:
    """B008, B009: nor the token of the project, nor the machine's own key."""
    assert cloud.leaks() == []


def test_destroy_leaves_nothing_in_the_project_and_hetzner_says_so_itself(cloud: EstateCloud) -> None:
    """B011, B036: the same question has an answer while the stack is up."""
    up = leftovers(cloud)
    assert up.returncode == 1, up.stderr
    kinds = {each["kind"] for each in json.loads(up.stdout)["remains"]}
    assert kinds == {"server", "primary IP", "firewall", "placement group", "SSH key"}
    outcome = cloud.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert cloud.project.summary() == {}
    assert cloud.estate.machines == {}
    gone = leftovers(cloud)
    assert gone.returncode == 0, gone.stderr
    assert json.loads(gone.stdout) == {"stack": STACK, "remains": []}
