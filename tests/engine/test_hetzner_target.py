"""The target `hetzner` with one server: whole machines behind a stand-in of Hetzner's API, the rest as in test_server.

The tests are one life of a stack, in their order. Nothing is proven about Hetzner beyond the stand-in's tables.
"""

import json
from collections.abc import Iterator

import pytest

from tests.deployments import changes, steps
from tests.engine.rakazo_inside import rakazo
from tests.estate_cloud import EstateCloud, estate_cloud
from tests.hetzner_leftovers import leftovers

pytestmark = pytest.mark.timeout(900)
SERVER = "rakazo-hetzner-server-1"
USER_DATA = "http://169.254.169.254/hetzner/v1/userdata"


@pytest.fixture(scope="module")
def cloud() -> Iterator[EstateCloud]:
    with estate_cloud("hetzner") as made:
        yield made


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"target.locations": ["fsn1-dc14"]}, "fsn1"),
        ({"target.locations": ["fsn1", "ash"]}, "zone"),
        ({"target.servers": {"type": "cx22", "count": 1}}, "cx23"),
        ({"target.servers": {"type": "cx43", "count": 2}}, "servers"),
        ({"target.admin_cidrs": ["0.0.0.0/0"]}, "admin_cidrs"),
        ({"target.private": {"range": "10.42.0.0/16", "subnet": "10.42.1.0/24"}}, "overlap"),
        ({"target.gvisor.platform": "kvm"}, "/dev/kvm"),
        ({"runtime": {"kind": "kata"}}, "runtime.kind: kata"),
    ],
)
def test_a_wrong_setting_is_one_error_at_preview_and_nothing_is_made(
    cloud: EstateCloud, changes: dict[str, object], says: str
) -> None:
    """B029, B030, B031, B038, B041."""
    cloud.write(changes)
    outcome = cloud.stack.pulumi.run("preview")
    cloud.write()
    assert outcome.code != 0, outcome.output
    assert says in outcome.output, outcome.output
    assert cloud.project.summary() == {}


def test_one_command_makes_a_server_and_a_proven_rakazo_on_it(cloud: EstateCloud) -> None:
    """B028, B030: the first location has sold out, and the private network comes late."""
    cloud.project.catalogue.sell_out("cx43", "fsn1")
    cloud.servers.network_late_by = 15
    outcome = cloud.stack.up()
    cloud.servers.network_late_by = 0
    assert outcome.code == 0, outcome.diagnostics
    assert "claims proven" in outcome.output
    (server,) = cloud.project.all("server").values()
    assert (server["name"], server["location"]) == (SERVER, "nbg1")


def test_what_is_up_needs_no_change(cloud: EstateCloud) -> None:
    """B001: also now that the first location has stock again."""
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_no_stock_anywhere_is_nothing_to_servers_that_are_there(cloud: EstateCloud) -> None:
    """B030: on a day without stock a stack can be changed all the same."""
    catalogue = cloud.project.catalogue
    sold_out = set(catalogue.sold_out)
    catalogue.sell_out("cx43")
    outcome = cloud.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    catalogue.sold_out = sold_out
    assert outcome.code == 0, outcome.diagnostics


def test_one_changed_setting_is_one_update(cloud: EstateCloud) -> None:
    cloud.settings["application.web_replicas"] = 3
    cloud.write()
    assert steps(cloud.stack.pulumi.must("preview", "--json")) == {"update": ["rakazo-web"]}
    outcome = cloud.stack.up()
    assert outcome.code == 0, outcome.diagnostics
    assert changes(outcome.output) == {"updated": 1}


@pytest.mark.parametrize("changes", [{"target.image": "debian-13"}, {"target.k3s.version": "v1.36.3+k3s1"}])
def test_a_change_of_the_image_or_of_k3s_replaces_no_server(cloud: EstateCloud, changes: dict[str, object]) -> None:
    """B025: whatever a new server would be told, one that exists stays."""
    cloud.write(changes)
    plan = steps(cloud.stack.pulumi.must("preview", "--json"))
    cloud.write()
    assert set(plan) <= {"update"}, plan


def test_the_user_data_is_there_for_the_server_and_not_for_a_computer_and_holds_no_secret(cloud: EstateCloud) -> None:
    machine = cloud.servers.named(SERVER)
    told = machine.run(["curl", "--silent", "--max-time", "5", USER_DATA]).stdout
    assert told.startswith("#cloud-config")
    assert [key for key, value in cloud.secrets.items() if value.strip() in told] == []
    computer = f"/api/computers/{rakazo(machine, '/api/computers', {'bot': 'curious'})['name']}/exec"
    asks = f"import urllib.request; print(urllib.request.urlopen({USER_DATA!r}, timeout=5).read())"
    assert rakazo(machine, computer, {"command": ["echo", "here"]})["stdout"].strip() == "here"
    heard = rakazo(machine, computer, {"command": ["python3", "-c", asks]})
    assert "cloud-config" not in heard["stdout"]
    assert "urlopen error" in heard["stderr"], heard


def test_no_secret_is_in_the_state_or_the_plan(cloud: EstateCloud) -> None:
    """B008, B009: nor the token of the project, nor the machine's own key."""
    assert cloud.leaks() == []


def test_destroy_leaves_nothing_in_the_project_and_hetzner_says_so_itself(cloud: EstateCloud) -> None:
    """B011, B036: the same question has an answer while the stack is up."""
    up = leftovers(cloud)
    assert up.returncode == 1, up.stderr
    kinds = {each["kind"] for each in json.loads(up.stdout)["remains"]}
    assert kinds == {"server", "primary IP", "network", "firewall", "placement group", "SSH key"}
    outcome = cloud.stack.destroy()
    assert outcome.code == 0, outcome.diagnostics
    assert cloud.project.summary() == {}
    assert cloud.estate.machines == {}
    gone = leftovers(cloud)
    assert gone.returncode == 0, gone.stderr
    assert json.loads(gone.stdout) == {"stack": "hetzner", "remains": []}
