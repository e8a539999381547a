"""What holds for every claim of a stack with Docker computers, and what the claims are derived from."""

from collections import Counter
from ipaddress import ip_address, ip_network

import pytest

from probes.claim import Claim, Group
from probes.docker.claims import every_claim
from probes.docker.surroundings import Around
from probes.vantage import Vantage
from tests.unit.probes.docker.example import around, facts

CLAIMS = list(every_claim(facts(), around()))
NOT_HERE = {Group.PLACEMENT, Group.ADMISSION}
"""One machine has no places to choose from, and no API server that would refuse a pod."""


def of(key: str, claims: list[Claim] = CLAIMS) -> Claim:
    (found,) = [claim for claim in claims if claim.id == key]
    return found


def tried(key: str) -> set[tuple[Vantage, str, int]]:
    return {(each.source, each.target.address, each.target.port) for each in of(key).crossings}


def test_ids_are_unique_and_begin_with_their_group() -> None:
    assert [key for key, count in Counter(claim.id for claim in CLAIMS).items() if count > 1] == []
    assert [claim.id for claim in CLAIMS if not claim.id.startswith(f"{claim.group}-")] == []


def test_the_list_without_a_machine_names_the_same_claims() -> None:
    assert [claim.id for claim in every_claim(facts(), Around())] == [claim.id for claim in CLAIMS]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_says_what_why_how_and_what_to_do(claim: Claim) -> None:
    for text in (claim.sentence, claim.reason, claim.method, claim.control):
        assert text.strip().endswith("."), (claim.id, text)
    assert len(claim.remedy) > 20, "a remedy is the line to write or the command to type"
    assert bool(claim.crossings) != (claim.look is not None), "either crossings or a look of its own"


def test_every_group_has_claims_that_means_something_on_one_machine() -> None:
    assert {claim.group for claim in CLAIMS} == set(Group) - NOT_HERE


def test_every_denied_ipv4_range_has_its_claim_and_ipv6_is_read_from_the_rules() -> None:
    """Computers have no IPv6 address here: that its rules stand, out-rules reads."""
    claimed = {claim.id.removeprefix("out-range-") for claim in CLAIMS if claim.id.startswith("out-range-")}
    assert claimed == {text for text in facts().denied_ranges if ip_network(text).version == 4}
    assert "IPv6" in of("out-rules").sentence


def test_both_families_are_probed_where_computers_have_both() -> None:
    both = around(cast={**around().cast, Vantage.COMPUTER: ("10.189.10.2", "fd00:1::2")})
    ids = {claim.id for claim in every_claim(facts(), both)}
    assert {f"out-range-{text}" for text in facts().denied_ranges} <= ids
    assert "out-metadata-aws-ipv6" in ids


def test_a_listener_is_tried_only_for_the_range_that_holds_it() -> None:
    for claim in CLAIMS:
        if claim.id.startswith("out-range-"):
            network = ip_network(claim.id.removeprefix("out-range-"))
            assert [c for c in claim.crossings if ip_address(c.target.address) not in network] == []


def test_the_machine_is_tried_at_every_address_and_the_computers_own_gateway() -> None:
    addresses = {address for _, address, _ in tried("out-machine")}
    assert addresses == {"10.189.10.1", "203.0.113.9", "172.17.0.1"}
    assert {port for _, _, port in tried("out-machine")} == {22, 443}


def test_every_port_of_the_machine_is_tried() -> None:
    many = tuple(range(1000, 1100))
    (claim,) = [each for each in every_claim(facts(), around(listeners=many)) if each.id == "out-machine"]
    assert {each.target.port for each in claim.crossings} == set(many)


def test_a_machine_that_answers_its_own_names_is_closed_otherwise() -> None:
    """The rules let names through to it, over UDP and TCP; elsewhere nobody has a business with its port 53."""
    here = around(resolvers=("172.17.0.1",), listeners=(22, 53))
    claim = of("out-machine", list(every_claim(facts(), here)))
    asked = {(each.target.address, each.target.port) for each in claim.crossings}
    assert ("172.17.0.1", 53) not in asked
    assert {("172.17.0.1", 22), ("203.0.113.9", 53), ("10.189.10.1", 53)} <= asked


def test_a_neighbour_that_is_the_resolver_may_be_asked_for_names_alone() -> None:
    known = facts(neighbours=("10.0.0.2:53", "10.0.0.2:443"))

    def seen(resolvers: tuple[str, ...]) -> set[tuple[str, int]]:
        claim = of("out-range-10.0.0.0/8", list(every_claim(known, around(resolvers=resolvers))))
        return {(each.target.protocol, each.target.port) for each in claim.crossings}

    assert seen(("10.0.0.2",)) == {("tcp", 443), ("icmp", 0)}
    assert seen(()) == {("tcp", 443), ("icmp", 0), ("tcp", 53), ("udp", 53)}


def test_names_may_be_asked_where_nobody_else_answers_them() -> None:
    """A resolver with a private address is let through for names alone, and so the probe must not call that a hole."""
    here = around(resolvers=("169.254.169.254",))
    claim = of("out-metadata-link-local", list(every_claim(facts(), here)))
    assert {each.target.protocol for each in claim.crossings} == {"tcp", "icmp"}
    assert "udp" in {each.target.protocol for each in of("out-metadata-link-local").crossings}


def test_the_supervisor_is_closed_to_computers_and_to_everybody_but_api_and_worker() -> None:
    assert (Vantage.COMPUTER, "10.189.0.14", 7091) in tried("out-supervisor")
    sources = {source for source, _, _ in tried("in-supervisor")}
    assert sources == {Vantage.STRANGER, Vantage.LISTENER, Vantage.WEB, Vantage.POSTGRES}


def test_the_kernel_that_is_shared_is_told_beside_what_others_would_give() -> None:
    claim = of("kernel-shared")
    assert "shares the kernel" in claim.sentence
    assert "Under gVisor" in claim.control


def test_no_claim_speaks_of_pods() -> None:
    """Words of the other kind of stack would send an operator to the wrong place."""
    for claim in CLAIMS:
        text = f"{claim.sentence} {claim.reason} {claim.method} {claim.control} {claim.remedy}".lower()
        assert "kubectl" not in text, claim.id
        assert " pod" not in text.replace("eks pod identity", ""), claim.id
