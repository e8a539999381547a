"""What holds for every service of the project; that Compose and Docker take it is the engine tier's."""

import re
from typing import Any

import pytest
import yaml

from components.compose.networks import NETWORKS, supervisor_address, supervisor_range
from components.compose.project import isolation_of, render_entry
from components.rakazo.docker_services import DOCKER_SERVICES
from tests.unit.compose.example import args, project, services

NAMES = ["postgres", "migrate", "supervisor", "api", "worker", "web"]
every_service = pytest.mark.parametrize("name", NAMES)


def test_all_services_are_there_in_the_order_in_which_they_start() -> None:
    assert list(services()) == NAMES


@every_service
def test_no_service_can_gain_rights_or_write_into_its_image(name: str) -> None:
    service = services()[name]
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["DAC_READ_SEARCH"] if name == "supervisor" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] is True
    assert "privileged" not in service
    assert not {"network_mode", "pid", "ipc", "userns_mode", "devices"} & set(service)


@every_service
def test_only_the_supervisor_is_root(name: str) -> None:
    assert services()[name]["user"] == {"postgres": "999:999", "supervisor": "0:0"}.get(name, "1000:1000")


@every_service
def test_the_socket_is_the_supervisors_alone(name: str) -> None:
    held = [mount for mount in services()[name].get("volumes", []) if "docker.sock" in str(mount)]
    assert bool(held) is (name == "supervisor")


@every_service
def test_no_service_has_a_port_of_the_machine(name: str) -> None:
    """A port that Docker opens goes past the machine's firewall; the way in is opened by the entry alone."""
    assert "ports" not in services()[name]


def test_the_entry_opens_web_on_the_loopback_address_and_nothing_else() -> None:
    assert yaml.safe_load(render_entry(8080)) == {"services": {"web": {"ports": ["127.0.0.1:8080:5173"]}}}


@every_service
def test_every_service_has_limits_and_no_swap_beside_them(name: str) -> None:
    service = services()[name]
    assert service["mem_limit"] == service["memswap_limit"]
    assert service["cpus"] > 0
    assert 0 < service["pids_limit"] <= 512


@every_service
def test_every_image_is_pinned_by_digest(name: str) -> None:
    assert re.search(r"@sha256:[0-9a-f]{64}$", services()[name]["image"])


@every_service
def test_logs_end_somewhere(name: str) -> None:
    """Also where Docker was there before, and says nothing about them."""
    assert services()[name]["logging"] == {"driver": "local", "options": {"max-size": "10m", "max-file": "3"}}


@every_service
def test_folders_in_memory_leave_half_of_it_to_the_service(name: str) -> None:
    service = services()[name]
    limit = int(service["mem_limit"].removesuffix("m"))
    sizes = [int(re.search(r"size=(\d+)m", each)[1]) for each in service["tmpfs"]]  # type: ignore[index]
    assert max(sizes) <= limit / 2


def test_services_start_after_what_they_need() -> None:
    """B109: the database is migrated once, before anybody uses it."""
    conditions = {
        name: {other: wait["condition"] for other, wait in service.get("depends_on", {}).items()}
        for name, service in services().items()
    }
    assert conditions == {
        "postgres": {},
        "migrate": {"postgres": "service_healthy"},
        "supervisor": {"migrate": "service_completed_successfully"},
        "api": {
            "postgres": "service_healthy",
            "migrate": "service_completed_successfully",
            "supervisor": "service_healthy",
        },
        "worker": {
            "postgres": "service_healthy",
            "migrate": "service_completed_successfully",
            "supervisor": "service_healthy",
            "api": "service_healthy",
        },
        "web": {"api": "service_healthy"},
    }


def test_who_is_waited_for_can_be_asked() -> None:
    waited = {
        other
        for service in services().values()
        for other, wait in service.get("depends_on", {}).items()
        if wait["condition"] == "service_healthy"
    }
    assert [name for name in waited if "healthcheck" not in services()[name]] == []


def test_a_service_is_ended_as_gently_as_in_a_cluster() -> None:
    graces = {name: service["stop_grace_period"] for name, service in services().items()}
    assert graces["worker"] == "2700s"
    assert graces["postgres"] == "120s"
    assert graces["api"] == "60s"


def reach(a: str, b: str) -> bool:
    return bool(set(services()[a]["networks"]) & set(services()[b]["networks"]))


@pytest.mark.parametrize(
    ("a", "b"), [("web", "postgres"), ("web", "supervisor"), ("web", "worker"), ("supervisor", "postgres")]
)
def test_who_has_no_business_with_each_other_shares_no_network(a: str, b: str) -> None:
    assert not reach(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [("web", "api"), ("api", "postgres"), ("worker", "supervisor"), ("migrate", "postgres")]
)
def test_who_needs_each_other_shares_one(a: str, b: str) -> None:
    assert reach(a, b)


def test_a_way_out_have_api_and_worker_alone() -> None:
    """They call models; web's network that is not internal lets nothing come back."""
    open_ones = {name for name, network in NETWORKS.items() if not network.internal and network.masquerades}
    assert {name for name, service in services().items() if open_ones & set(service["networks"])} == {"api", "worker"}


def test_no_interface_is_taken_for_a_computers() -> None:
    interfaces = [network.interface for network in NETWORKS.values()]
    assert [name for name in interfaces if name.startswith("rakazo-c") or len(name) > 15] == []
    assert len(set(interfaces)) == len(interfaces)


def test_the_supervisor_listens_on_one_address_that_nobody_else_is_given() -> None:
    """It joins the network of every computer, where it must not answer."""
    assert supervisor_range("10.189.0.0/16") == "10.189.255.240/28"
    assert supervisor_address("10.189.0.0/16") == "10.189.255.254"
    supervisor = services()["supervisor"]
    assert supervisor["networks"]["supervisor"]["ipv4_address"] == supervisor["environment"]["SUPERVISOR_HOST"]
    assert "hostname" not in supervisor, "it finds itself by the name that Docker gives it"


def test_data_is_in_volumes_whose_names_do_not_change() -> None:
    volumes = project()["volumes"]
    assert volumes == {name: {"name": name} for name in ("rakazo-data", "rakazo-postgres")}
    data = {name for name, service in services().items() if "rakazo-data" in str(service.get("volumes"))}
    assert data == {"supervisor", "api", "worker"}


@pytest.mark.parametrize(
    ("changes", "touched"),
    [
        ({"computers__memory": "4Gi"}, {"supervisor"}),
        ({"computers__pids": 512}, {"supervisor"}),
        ({"computers__maximum": 5}, {"supervisor", "api", "worker"}),
        ({"application__signup_allowlist": ["@example.org"]}, {"api"}),
        ({"application__public": {"host": "other.example.com"}}, {"api", "web"}),
        ({"images__postgres": f"localhost/postgres@sha256:{'1' * 64}"}, {"postgres"}),
        ({"images__computer": f"localhost/computer@sha256:{'1' * 64}"}, {"supervisor"}),
        ({"images__app": f"localhost/app@sha256:{'1' * 64}"}, {"migrate", "supervisor", "api", "worker", "web"}),
        ({"edge__web": 8080}, set()),
    ],
)
def test_a_change_touches_exactly_the_services_that_it_is_about(changes: dict[str, Any], touched: set[str]) -> None:
    """Compose makes a service anew when its text changes, and no other."""
    after = project(**changes)["services"]
    assert {name for name in NAMES if after[name] != services()[name]} == touched


@pytest.mark.parametrize(
    ("changes", "proven_anew"),
    [
        ({"application__signup_allowlist": ["@example.org"]}, False),
        ({"application__public": {"host": "other.example.com"}}, False),
        ({"images__app": f"localhost/app@sha256:{'1' * 64}"}, True),
        ({"target__docker__address_pool": "172.30.0.0/16"}, True),
    ],
)
def test_isolation_is_proven_anew_for_what_it_depends_on(changes: dict[str, Any], proven_anew: bool) -> None:
    before, after = (isolation_of(DOCKER_SERVICES, each) for each in (args(), args(**changes)))
    assert (before != after) is proven_anew
