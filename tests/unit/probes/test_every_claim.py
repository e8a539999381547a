"""What holds for every claim of a stack, and what the claims are derived from."""

from collections import Counter
from ipaddress import ip_address, ip_network

import pytest

from probes.claim import Claim, Group
from probes.claims import every_claim
from probes.claims.destinations import families
from probes.vantage import Vantage
from tests.unit.probes.example import around, changed, facts

CLAIMS = list(every_claim(facts(), around()))
BOTH = changed(
    pods=("10.42.0.0/16", "fd00:42::/56"),
    services=("10.43.0.0/16", "fd00:43::/112"),
    denied_ranges=("10.0.0.0/8", "fc00::/7"),
    neighbours=("10.99.0.10:80", "[fd12:3456:789a::10]:80"),
)


def of(key: str) -> Claim:
    (found,) = [claim for claim in CLAIMS if claim.id == key]
    return found


def test_ids_are_unique_and_begin_with_their_group() -> None:
    assert [key for key, count in Counter(claim.id for claim in CLAIMS).items() if count > 1] == []
    assert [claim.id for claim in CLAIMS if not claim.id.startswith(f"{claim.group}-")] == []


def test_the_list_without_a_cluster_names_the_same_claims() -> None:
    from probes.surroundings import Surroundings

    assert [claim.id for claim in every_claim(facts(), Surroundings())] == [claim.id for claim in CLAIMS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_says_what_why_how_and_what_to_do(claim: Claim) -> None:
    for text in (claim.sentence, claim.reason, claim.method, claim.control):
        assert text.strip().endswith("."), (claim.id, text)
    assert len(claim.remedy) > 20, "a remedy is the line to write or the command to type"
    assert bool(claim.crossings) != (claim.look is not None), "either crossings or a look of its own"


def test_every_group_has_claims() -> None:
    assert {claim.group for claim in CLAIMS} == set(Group)


def test_every_denied_range_of_the_stack_has_its_claim() -> None:
    """The list is derived: a range that the policy excepts and nobody probes cannot exist."""
    claimed = {claim.id.removeprefix("out-range-") for claim in CLAIMS if claim.id.startswith("out-range-")}
    assert claimed == set(facts().denied_ranges)


def test_an_address_is_tried_only_for_the_range_that_holds_it() -> None:
    for claim in CLAIMS:
        if claim.id.startswith("out-range-"):
            network = ip_network(claim.id.removeprefix("out-range-"))
            assert [c for c in claim.crossings if ip_address(c.target.address) not in network] == []


def test_a_family_that_pods_do_not_have_is_not_probed() -> None:
    assert families(facts()) == {4}
    assert [c.target for claim in CLAIMS for c in claim.crossings if c.target.family != 4] == []


def test_both_families_are_probed_where_pods_have_both() -> None:
    """Facts, engine 8: an enforcer can fail for one family alone."""
    tried = {c.target.address for claim in every_claim(BOTH, around()) for c in claim.crossings}
    assert {"10.99.0.10", "fd12:3456:789a::10", "fd00:ec2::254", "fd00:43::1"} <= tried


def test_a_computer_may_ask_the_clusters_resolver_for_names_and_reach_nothing_else_of_it() -> None:
    """Cloud DNS of GKE answers at the metadata address itself, whose DNS port the policy has to open."""
    resolver = "169.254.169.254"
    claims = list(every_claim(changed(dns_addresses=(resolver, "169.254.20.10")), around()))
    tried = [c.target for claim in claims if claim.id.startswith("out-") for c in claim.crossings]
    ports = {target.port for target in tried if target.address == resolver}
    assert 53 not in ports
    assert 80 in ports
    assert 53 in {target.port for target in tried if target.address != resolver}


def test_every_node_and_every_api_server_is_tried() -> None:
    kubelets = {crossing.target.address for crossing in of("out-node-kubelet").crossings}
    assert kubelets == {"10.10.0.11", "10.10.0.12"}
    (endpoint,) = of("out-api-server-endpoint").crossings
    assert (endpoint.target.address, endpoint.target.port) == ("10.10.0.11", 6443)


def test_who_watches_and_who_must_not_are_tried_on_the_same_ports() -> None:
    watched = {crossing.target for crossing in of("in-screens").crossings}
    assert {target.port for target in watched} == {6080, 6100, 6149, 6199}
    strangers = of("in-strangers").crossings
    assert {crossing.target for crossing in strangers} == watched
    assert {crossing.source for crossing in strangers} == {
        Vantage.CONTROL,
        Vantage.BYSTANDER,
        Vantage.IMPOSTOR,
        Vantage.STRAY,
        Vantage.POSTGRES,
        Vantage.COMPUTER,
    }


def test_nobody_at_all_may_reach_the_ports_beside_the_screens() -> None:
    sources = {crossing.source for crossing in of("in-other-ports").crossings}
    assert sources == {crossing.source for key in ("in-screens", "in-strangers") for crossing in of(key).crossings}


def test_the_ports_beside_the_screens_follow_the_settings() -> None:
    """B080: an end that is off by one opens a port or closes a screen."""
    others = {crossing.target.port for crossing in of("in-other-ports").crossings}
    assert {6081, 6099, 6200} <= others
    narrow = {
        crossing.target.port
        for claim in every_claim(changed(last_screen_port=6110), around())
        if claim.id == "in-other-ports"
        for crossing in claim.crossings
    }
    assert 6111 in narrow
