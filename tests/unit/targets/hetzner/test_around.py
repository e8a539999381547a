"""What lies around rented servers: network, firewall, names, and what the rest of the stack is told of them."""

from typing import Any

from components.targets.hetzner.cluster import HetznerCluster, HetznerClusterArgs
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.graph import named
from tests.unit.outputs import PUBLIC, Answers, hetzner
from tests.unit.recorder import Recorder, Secret, record
from tests.unit.stacks.hetzner_stack import target
from tests.unit.targets.hetzner.example import NODES, five, made, servers

ADMINS, WORLD = ("198.51.100.7/32",), ("0.0.0.0/0", "::/0")
PING = ("in", "icmp", "", WORLD)


def rules(recorder: Recorder) -> set[tuple[str, str, str, tuple[str, ...]]]:
    (firewall,) = recorder.of_kind("Firewall")
    return {
        (rule["direction"], rule["protocol"], rule.get("port", ""), tuple(rule["sourceIps"]))
        for rule in firewall.inputs["rules"]
    }


def test_the_firewall_lets_in_administrators_and_nobody_else() -> None:
    """B040: not etcd, not the kubelet, not a node's ports."""
    assert rules(five()) == {PING, ("in", "tcp", "22", ADMINS), ("in", "tcp", "6443", ADMINS)}


def test_nobody_is_no_rule() -> None:
    """B038: and never a default."""
    assert rules(made(admin_cidrs=[])[0]) == {PING}


def test_the_web_is_open_when_it_is_asked_for() -> None:
    opened = rules(made(open_web=True)[0])
    assert opened - rules(five()) == {("in", "tcp", "80", WORLD), ("in", "tcp", "443", WORLD)}


def test_the_api_is_reached_at_the_servers_and_through_no_load_balancer() -> None:
    """B039: Hetzner's firewall does not stand in front of one."""
    assert not [item for item in five().seen if "LoadBalancer" in item.kind]
    (provider,) = [item for item in five().seen if item.typ == "pulumi:providers:kubernetes"]
    assert f"https://{PUBLIC}.101:6443" in provider.inputs["kubeconfig"].value


def test_every_server_stands_behind_the_firewall() -> None:
    for server in servers(five()).values():
        assert len(server.inputs["firewallIds"]) == 1
        assert named(five(), "cluster-around-firewall").urn in server.dependencies
        assert server.inputs["publicNets"][0]["ipv6Enabled"] is False


def everywhere(place: str) -> Answers:
    """Return Hetzner's answers for a place that it has instead of its own."""
    answers = dict(hetzner())
    (token, asked), *_ = answers.items()

    def there(given: Any) -> dict[str, Any]:
        answer = asked(given)
        return {**answer, "locations": [{**answer["locations"][0], "name": place}]}

    return {**answers, token: there}


def test_the_zone_of_the_subnet_is_the_locations() -> None:
    """B029."""
    overseas, _ = made(everywhere("ash"), locations=["ash"], servers={"type": "ccx13", "count": 1}, computers=None)
    assert named(overseas, "cluster-around-subnet").inputs["networkZone"] == "us-east"
    assert named(five(), "cluster-around-subnet").inputs["networkZone"] == "eu-central"


def test_another_stack_in_the_project_shares_no_name() -> None:
    """B037: a name that two stacks share is taken over by one of them, and deleted with it."""

    def taken(stack: str) -> set[tuple[str, str]]:
        rented = [item for item in made(stack=stack)[0].seen if item.typ.startswith("hcloud:")]
        return {(item.kind, item.inputs["name"]) for item in rented if "name" in item.inputs}

    dev, team = taken("dev"), taken("team")
    assert len(dev) == len(team) > 10
    assert dev & team == set()


def test_everything_is_found_by_its_labels() -> None:
    """B036: what a destroy has to have removed can be listed."""
    for item in five().seen:
        if item.typ.startswith("hcloud:") and item.kind != "NetworkSubnet":
            assert item.inputs["labels"] == {"managed-by": "rakazo-infra", "rakazo-stack": "team"}, item.urn


def test_everything_goes_through_the_stacks_own_provider_and_token() -> None:
    """B004: not through whatever token the operator's shell has."""
    (provider,) = [item for item in five().seen if item.typ == "pulumi:providers:hcloud"]
    assert isinstance(provider.inputs["token"], Secret)
    rented = [item for item in five().seen if item.typ.startswith("hcloud:")]
    assert [item.name for item in rented if not item.provider.startswith(provider.urn)] == []


def test_nothing_in_the_cluster_waits_for_a_cloud_controller() -> None:
    """B034: nodes would keep its taint until it runs; here there is none, and no token of the project either."""
    for key in NODES:
        delivered = named(five(), f"cluster-{key}-deliver").inputs["create"]
        assert "cloud-provider" not in delivered
        assert secrets_of("hetzner")["hcloud_token"] not in delivered


def test_policies_know_the_addresses_that_hetzner_gave_out() -> None:
    """B072: they are known only when the addresses exist."""
    _, cluster = made()
    assert cluster.network.nodes == tuple(f"10.0.1.{number}/32" for number in (11, 12, 13, 101, 102))
    found: list[tuple[str, ...]] = []

    def program() -> None:
        secrets = secret_outputs(**secrets_of("hetzner"))
        args = HetznerClusterArgs(stack="team", settings=target("hetzner-ha"), runtime="gvisor", secrets=secrets)
        HetznerCluster("cluster", args).cluster.network.complete().apply(lambda known: found.append(known.nodes))

    record(program, answers=hetzner())
    assert set(found[0]) == {*cluster.network.nodes, *(f"{PUBLIC}.{n}/32" for n in (101, 102, 103, 151, 152))}
