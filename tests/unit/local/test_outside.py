"""What the outside answers."""

import json

import pytest
from dnslib import QTYPE, RCODE, DNSRecord

from local.cluster.family import DUAL_STACK, SINGLE_STACK
from local.outside import metadata
from local.outside.zone import Zone

SINGLE, DUAL = Zone(SINGLE_STACK), Zone(DUAL_STACK)


def asked(name: str, kind: str = "A", zone: Zone = SINGLE) -> DNSRecord:
    answer = zone.reply(DNSRecord.question(name, kind).pack())
    assert answer is not None
    return DNSRecord.parse(answer)


def test_the_public_name_has_the_public_webs_address() -> None:
    answer = asked("WWW.example-public.test")
    assert [(QTYPE[each.rtype], str(each.rdata)) for each in answer.rr] == [("A", "192.175.48.80")]


def test_the_public_name_has_no_ipv6_address_and_exists_all_the_same() -> None:
    answer = asked("www.example-public.test", "AAAA")
    assert answer.rr == []
    assert answer.header.rcode == RCODE.NOERROR


@pytest.mark.parametrize("name", ["www.example-public.test", "example.com"])
def test_with_both_families_a_public_name_has_an_address_of_each(name: str) -> None:
    found = [(QTYPE[each.rtype], str(each.rdata)) for kind in ("A", "AAAA") for each in asked(name, kind, DUAL).rr]
    assert found == [("A", "192.175.48.80"), ("AAAA", "2620:4f:8000::80")]


def test_what_says_that_there_is_no_such_record_belongs_to_the_zone_of_the_name() -> None:
    """A resolver may drop an answer of somebody who is not responsible for the name."""
    assert [str(each.rname) for each in asked("example.com", "AAAA").auth] == ["example.com."]
    assert [str(each.rname) for each in asked("www.example-public.test", "AAAA").auth] == ["example-public.test."]


def test_a_public_name_may_point_inside_in_either_family() -> None:
    for name, inside in (("metadata", "fd00:ec2::254"), ("neighbour", "fd12:3456:789a::10")):
        assert [str(each.rdata) for each in asked(f"{name}.example-public.test", "AAAA", DUAL).rr] == [inside]


def test_any_other_name_does_not_exist() -> None:
    assert asked("example.org").header.rcode == RCODE.NXDOMAIN


@pytest.mark.parametrize("garbage", [b"", b"\x00", b"GET / HTTP/1.1\r\n\r\n"])
def test_what_is_no_dns_message_gets_no_answer(garbage: bytes) -> None:
    assert DUAL.reply(garbage) is None


def test_metadata_services_hand_out_credentials_that_say_that_they_are_invented() -> None:
    path = "/latest/meta-data/iam/security-credentials/invented-node-role"
    assert json.loads(metadata.answer("metadata", path))["SecretAccessKey"] == metadata.INVENTED
    assert json.loads(metadata.answer("pod-identity", "/v1/credentials"))["Token"] == metadata.INVENTED


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("metadata-ipv6", "/latest/api/token"),
        ("pod-identity-ipv6", "/v1/credentials"),
        ("google-metadata-ipv6", "/computeMetadata/v1/instance/service-accounts/default/token"),
        ("task-metadata", "/v2/metadata"),
        ("azure-wire", "/machine"),
        ("alibaba-metadata", "/latest/meta-data/ram/security-credentials/invented-node-role"),
        ("oracle-metadata", "/latest/user-data"),
    ],
)
def test_each_clouds_service_has_something_at_its_real_path_that_is_visibly_invented(kind: str, path: str) -> None:
    assert kind in {kind for each in DUAL_STACK for kind in each.listeners.values()}
    assert metadata.INVENTED in metadata.answer(kind, path)


def test_every_other_listener_answers_one_line_that_names_its_kind() -> None:
    assert metadata.answer("lan-10", "/latest/meta-data/") == "lan-10\n"
