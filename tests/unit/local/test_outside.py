"""What the outside answers."""

import json

import pytest
from dnslib import QTYPE, RCODE, DNSRecord

from local.outside import metadata, zone


def asked(name: str, kind: str = "A") -> DNSRecord:
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


def test_any_other_name_does_not_exist() -> None:
    assert asked("example.org").header.rcode == RCODE.NXDOMAIN


@pytest.mark.parametrize("garbage", [b"", b"\x00", b"GET / HTTP/1.1\r\n\r\n"])
def test_what_is_no_dns_message_gets_no_answer(garbage: bytes) -> None:
    assert zone.reply(garbage) is None


def test_metadata_services_hand_out_credentials_that_say_that_they_are_invented() -> None:
    path = "/latest/meta-data/iam/security-credentials/invented-node-role"
    assert json.loads(metadata.answer("metadata", path))["SecretAccessKey"] == metadata.INVENTED
    assert json.loads(metadata.answer("pod-identity", "/v1/credentials"))["Token"] == metadata.INVENTED


def test_every_other_listener_answers_one_line_that_names_its_kind() -> None:
    assert metadata.answer("lan-10", "/latest/meta-data/") == "lan-10\n"
