"""What single looks at a machine with Docker say about what they saw."""

import base64
from typing import Any

import pytest

from probes.docker.claims.application import beside, of_image
from probes.docker.claims.identity import status, unprivileged
from probes.docker.claims.incoming import Binding, bindings, other_family, outside, published
from probes.docker.claims.kernel import shared
from probes.docker.claims.limits import refused, size_of, told
from probes.docker.claims.rules import RUNNING, UNIT_NAME, WIRING, wiring
from probes.docker.claims.secrets import files_of, foreign, modes
from probes.docker.facts import DockerFacts, is_docker
from probes.prober import ProbeError
from probes.reach import Answer, Destination
from tests.unit.probes.docker.example import container, facts
from tests.unit.probes.example import facts as facts_of_a_cluster

WEB = Binding(service="web", where="127.0.0.1:5173")
INSIDE = "Name:\tcat\nUid:\t1000\t1000\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\nCapEff:\t0000000000000000\n"
ROOT = "Name:\tsystemd\nUid:\t0\t0\nNoNewPrivs:\t0\nSeccomp:\t0\nCapEff:\t000001ffffffffff\n"
GOOD = {
    "LoadState": "loaded",
    "UnitFileState": "enabled",
    "ActiveState": "active",
    "Before": "docker.service shutdown.target",
    "PartOf": "docker.service",
    "WantedBy": "docker.service",
}
SUPERVISED = {
    "RAKAZO_COMPUTER_MEMORY": "2147483648",
    "RAKAZO_COMPUTER_CPUS": "2",
    "RAKAZO_COMPUTER_PIDS_LIMIT": "2048",
}


def test_facts_survive_the_way_through_an_output_and_are_told_from_a_clusters() -> None:
    packed = facts().pack()
    assert DockerFacts.unpack(packed) == facts()
    assert is_docker(packed)
    assert not is_docker(facts_of_a_cluster().pack())
    with pytest.raises(ValueError, match="is not what `pack` made"):
        is_docker("aGVsbG8=")


def test_a_unit_that_is_wired_keeps_the_rules() -> None:
    assert set(GOOD) == set(WIRING)
    assert wiring(UNIT_NAME, GOOD, WIRING, "all of it").seen == "all of it"
    assert wiring(UNIT_NAME, GOOD, WIRING, "all of it").holds is True
    assert wiring("a timer", GOOD, RUNNING, "all of it").holds is True


@pytest.mark.parametrize("key", GOOD)
def test_a_unit_that_is_not_is_named_with_what_is_missing(key: str) -> None:
    found = wiring(UNIT_NAME, GOOD | {key: "no"}, WIRING, "all of it")
    assert found.holds is False
    assert found.seen == f"{key} is no"
    assert wiring(UNIT_NAME, {}, WIRING, "all of it").holds is False
    assert wiring("a timer", GOOD | {key: "no"}, RUNNING, "all of it").holds is (key not in RUNNING)


def test_nothing_but_web_on_loopback_may_be_published() -> None:
    assert published([WEB], "127.0.0.1:5173", 6).holds is True
    assert published([], "127.0.0.1:5173", 6).control == "the way in is not open yet"
    for other in (
        Binding(service="web", where="0.0.0.0:5173"),
        Binding(service="postgres", where="127.0.0.1:5432"),
        Binding(service="api", where="127.0.0.1:5173"),
    ):
        found = published([WEB, other], "127.0.0.1:5173", 6)
        assert found.holds is False
        assert f"{other.service} at {other.where}" in found.seen
    screen = Binding(service="rakazo-bot-anna", where="127.0.0.1:49153")
    assert published([screen], "127.0.0.1:5173", 1).holds is True, "the machine alone sees it"
    assert published([Binding(service="rakazo-bot-anna", where="0.0.0.0:49153")], "127.0.0.1:5173", 1).holds is False
    assert published([], "127.0.0.1:5173", 0).holds is None, "without containers nothing is known"


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"HostConfig__PortBindings": {"5432/tcp": [{"HostIp": "", "HostPort": "5432"}]}}, "0.0.0.0:5432"),
        ({"NetworkSettings__Ports": {"5432/tcp": [{"HostIp": "::", "HostPort": "5432"}]}}, ":::5432"),
        ({"HostConfig__NetworkMode": "host"}, "every port"),
    ],
    ids=["asked for", "given", "the machine's network"],
)
def test_a_port_is_found_as_it_was_asked_for_and_as_it_was_given(changes: dict[str, Any], where: str) -> None:
    (found,) = bindings([container(**changes)])
    assert found.service == "rakazo-bot-anna"
    assert found.where.startswith(where)


def test_an_exposed_port_is_not_a_published_one() -> None:
    assert list(bindings([container(NetworkSettings__Ports={"6080/tcp": None})])) == []


@pytest.mark.parametrize(
    ("nobody", "ssh", "postgres", "holds"),
    [
        (Answer.REFUSED, Answer.OPEN, Answer.REFUSED, True),
        (Answer.REFUSED, Answer.OPEN, Answer.OPEN, False),
        (Answer.SILENT, Answer.SILENT, Answer.SILENT, None),
        (Answer.OPEN, Answer.OPEN, Answer.OPEN, None),
    ],
    ids=["closed", "open", "the machine is not reached", "somebody in between answers for it"],
)
def test_what_answers_from_outside_counts_when_the_machine_itself_does(
    nobody: Answer, ssh: Answer, postgres: Answer, holds: bool | None
) -> None:
    """A proxy that takes every connection would close the way in for a port that is not there."""
    targets = [Destination(name="the machine", address="203.0.113.9", port=port) for port in (1, 22, 5432)]
    assert [each.holds for each in outside(targets, [nobody, ssh, postgres])] == [holds]


@pytest.mark.parametrize(
    ("address", "others"), [("203.0.113.9", ["2a00::9"]), ("2a00::9", ["5.75.1.1"])], ids=["IPv4", "IPv6"]
)
def test_a_machine_is_tried_from_outside_where_it_is_public_in_the_other_family(
    address: str, others: list[str]
) -> None:
    machine = ("5.75.1.1", "203.0.113.9", "172.17.0.1", "10.189.1.1", "2a00::9", "fd00::9")
    assert other_family(address, machine) == others


def test_a_kernel_is_shared_when_both_know_the_network_by_the_same_number() -> None:
    one, other = ("6.1.0", "net:[4026532572]"), ("6.1.0", "net:[2]")
    assert shared(one, one).holds is True
    assert shared(one, other).holds is False
    for inside, machine in ((("6.1.0", ""), ("6.1.0", "")), (one, ("6.1.0", "")), (("6.1.0", "no such file"), one)):
        with pytest.raises(ProbeError, match="does not tell which network"):
            shared(inside, machine)


@pytest.mark.parametrize(("started", "holds"), [(2, False), (150, False), (297, True), (300, True), (301, False)])
def test_processes_that_are_refused_long_before_the_limit_show_no_limit(started: int, *, holds: bool) -> None:
    assert refused(started).holds is holds


def test_a_process_without_rights_is_told_from_root() -> None:
    assert unprivileged(status(INSIDE), status(ROOT)).holds is True
    assert unprivileged(status(INSIDE), status(INSIDE)).holds is None, "a look that cannot see root proves nothing"
    for key, value, words in (("Uid", "0", "root"), ("NoNewPrivs", "0", "can gain"), ("Seccomp", "0", "no filter")):
        found = unprivileged(status(INSIDE) | {key: value}, status(ROOT))
        assert found.holds is False
        assert words in found.seen


@pytest.mark.parametrize(
    ("text", "size"), [("2g", 2 << 30), ("1536m", 1536 << 20), ("2147483648", 2 << 30), ("1G", 1 << 30)]
)
def test_sizes_are_read_as_docker_writes_them(text: str, size: int) -> None:
    assert size_of(text) == size


def test_the_supervisors_limits_are_those_of_the_settings() -> None:
    assert [each.holds for each in told(SUPERVISED, facts())] == [True, True, True]


@pytest.mark.parametrize("value", ["", "0", "none", "unlimited", "4"])
@pytest.mark.parametrize("variable", SUPERVISED)
def test_a_limit_that_is_unset_switched_off_or_another_is_a_fault(variable: str, value: str) -> None:
    found = {each.subject: each.holds for each in told(SUPERVISED | {variable: value}, facts())}
    assert found[f"{variable} of the supervisor"] is False
    assert list(found.values()).count(True) == 2


def test_files_of_secrets_are_roots_alone() -> None:
    good = "d 700 0 /etc/s\nf 600 0 /etc/s/api.env\n"
    assert modes(good).holds is True
    assert modes("d 700 0 /etc/s\n").holds is None
    for line in ("f 640 0 /etc/s/web.env", "f 604 0 /etc/s/web.env", "f 600 1000 /etc/s/web.env"):
        found = modes(f"{good}{line}\n")
        assert found.holds is False
        assert "/etc/s/web.env" in found.seen


def test_values_of_other_services_are_looked_for_and_parts_of_ones_own_are_not() -> None:
    """The database login of api holds the password that migrate makes it with."""
    parts = [
        "=== api.env\nDATABASE_URL=postgres://a:secret-app@db\n",
        "=== migrate.env\nAPP_PASSWORD=secret-app\nOWNER=secret-owner\n",
        "=== kept.env\nENCRYPTION_KEY=secret-kept\n",
        "=== empty.env\n",
    ]
    secrets = files_of("\n".join(parts))
    assert [each["metadata"]["name"] for each in secrets] == ["api.env", "migrate.env", "kept.env"]

    def sought(service: str, holds: tuple[str, ...]) -> set[bytes]:
        found = foreign(secrets, service, holds)
        return {base64.b64decode(value) for each in found for value in each["data"].values()}

    assert sought("api", ("DATABASE_URL", "ENCRYPTION_KEY")) == {b"secret-owner"}
    assert sought("web", ()) == {b"postgres://a:secret-app@db", b"secret-app", b"secret-owner", b"secret-kept"}


def test_an_image_is_known_by_its_digest() -> None:
    pinned = f"registry.test/app@sha256:{'a' * 64}"
    assert of_image("api", pinned, {"RepoDigests": [f"mirror.test/app@sha256:{'a' * 64}"]}).holds is True
    assert of_image("api", pinned, {"RepoDigests": [f"registry.test/app@sha256:{'b' * 64}"]}).holds is False
    assert of_image("api", pinned, {"RepoDigests": [], "Id": "sha256:1"}).holds is False


@pytest.mark.parametrize(
    ("supervisor", "web", "holds"),
    [
        (Answer.REFUSED, Answer.OPEN, True),
        (Answer.OPEN, Answer.OPEN, False),
        (Answer.SILENT, Answer.SILENT, None),
    ],
)
def test_the_supervisor_must_not_answer_on_a_computers_network(
    supervisor: Answer, web: Answer, holds: bool | None
) -> None:
    there = {
        "supervisor": Destination(name="supervisor", address="10.189.20.3", port=7091),
        "web": Destination(name="web", address="10.189.20.4", port=5173),
    }
    first, second = beside(there, {"supervisor": supervisor, "web": web})
    assert first.holds is holds
    assert second.holds is None, "web is there by design and no claim is made of it"
