"""What web and api let through: hosts, origins, addresses, calls per client and screens."""

import pytest

from local.images.app.standin.capabilities import Capability, CapabilityError, seal, unseal
from local.images.app.standin.host_check import host_allowed
from local.images.app.standin.origins import origin_refused, sign_up_refusal
from local.images.app.standin.rate_limit import SHARED, RateLimit, client_of
from local.images.app.standin.screen_targets import may_dial

from .environments import AUTH, SCREEN

TRUSTED = ("https://rakazo.test",)


@pytest.mark.parametrize(
    "header",
    ["rakazo.test", "rakazo.test:443", "10.42.0.7:5173", "10.42.0.7", "[fd00::7]:5173", "localhost:1", "a.localhost"],
)
def test_web_answers_the_public_host_and_address_literals(header: str) -> None:
    assert host_allowed(header, "rakazo.test")


@pytest.mark.parametrize(
    "header", ["RAKAZO.TEST", "rakazo-web", "rakazo-web:5173", "a.rakazo.test", "other.test", "", None, "rakazo.test:x"]
)
def test_web_refuses_every_other_host(header: str | None) -> None:
    assert not host_allowed(header, "rakazo.test")


@pytest.mark.parametrize("origin", ["https://rakazo.test", "https://rakazo.test:443"])
def test_the_public_origin_may_sign_in(origin: str) -> None:
    assert not origin_refused(origin, "a=b", TRUSTED)


@pytest.mark.parametrize(
    "origin", ["http://rakazo.test", "https://other.test", "http://localhost:5173", "http://127.0.0.1:5173", "null"]
)
def test_another_origin_may_not_sign_in(origin: str) -> None:
    """B125: a port-forward's origin is refused as well."""
    assert origin_refused(origin, None, TRUSTED)


def test_a_call_without_origin_passes_only_when_it_has_no_cookie() -> None:
    assert not origin_refused(None, None, TRUSTED)
    assert origin_refused(None, "session=1", TRUSTED)


@pytest.mark.parametrize(
    ("email", "admitted"),
    [("me@a.test", True), ("ME@A.test", True), ("you@a.test", False), ("x@b.test", True), ("x@sub.b.test", False)],
)
def test_the_allow_list_admits_addresses_and_exact_domains(email: str, admitted: bool) -> None:
    """B124: a stranger cannot take the first account."""
    why = sign_up_refusal(email, signups_open=True, allow_list=("me@a.test", "@b.test"))
    assert (why is None) is admitted


def test_an_empty_allow_list_admits_everybody_unless_sign_up_is_closed() -> None:
    assert sign_up_refusal("x@y.test", signups_open=True, allow_list=()) is None
    assert sign_up_refusal("x@y.test", signups_open=False, allow_list=()) is not None


@pytest.mark.parametrize(
    "host", ["10.42.1.7", "172.16.0.1", "172.31.255.1", "192.168.9.1", "127.0.0.1", "rakazo-bot-x"]
)
def test_web_dials_private_addresses_and_computers_by_name(host: str) -> None:
    assert may_dial(host, 6080)


@pytest.mark.parametrize(
    "host", ["100.64.0.1", "169.254.169.254", "172.32.0.1", "240.0.0.1", "192.175.48.80", "fd00::1", "::1", "db", ""]
)
def test_web_dials_nothing_else(host: str) -> None:
    assert not may_dial(host, 6080)


@pytest.mark.parametrize(("port", "dialled"), [(1023, False), (1024, True), (65535, True), (65536, False)])
def test_web_dials_unprivileged_ports_only(port: int, dialled: bool) -> None:
    assert may_dial("10.0.0.1", port) is dialled


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        (["1.2.3.4"], "1.2.3.4"),
        ([], SHARED),
        (["1.2.3.4, 5.6.7.8"], SHARED),
        (["1.2.3.4", "5.6.7.8"], SHARED),
        ([""], SHARED),
    ],
)
def test_only_a_single_forwarded_address_names_a_client(headers: list[str], client: str) -> None:
    assert client_of(headers) == client


@pytest.mark.parametrize(("path", "allowed"), [("/api/auth/sign-in/email", 3), ("/api/auth/ok", 100)])
def test_a_client_has_so_many_calls_of_a_path_in_ten_seconds(path: str, allowed: int) -> None:
    now = [0.0]
    limit = RateLimit(lambda: now[0])
    answers = [limit.allows("1.1.1.1", path) for _ in range(allowed + 1)]
    assert answers == [True] * allowed + [False]
    assert limit.allows("2.2.2.2", path), "another client has its own calls"
    assert limit.allows("1.1.1.1", path + "/x"), "another path has its own calls"
    now[0] = 9.9
    assert not limit.allows("1.1.1.1", path)
    now[0] = 10.0
    assert limit.allows("1.1.1.1", path)


def test_a_missing_address_is_warned_about_once() -> None:
    limit = RateLimit(lambda: 0.0)
    assert [limit.first_warning("1.1.1.1"), limit.first_warning(SHARED), limit.first_warning(SHARED)] == [
        False,
        True,
        False,
    ]


def test_a_capability_grants_what_was_sealed_until_it_expires() -> None:
    capability = Capability("rakazo-bot-a", 3, "view", expires=1000)
    sealed = seal(capability, SCREEN)
    assert unseal(sealed, SCREEN, now=999) == capability
    with pytest.raises(CapabilityError, match="expired"):
        unseal(sealed, SCREEN, now=1000)


def test_a_capability_of_another_secret_or_with_another_policy_or_expiry_grants_nothing() -> None:
    sealed = seal(Capability("rakazo-bot-a", 3, "view", expires=1000), SCREEN)
    altered = [sealed.replace("view", "control"), sealed.replace("1000.", "9000."), sealed[:-2], "x/y", ""]
    for forged in altered:
        with pytest.raises(CapabilityError):
            unseal(forged, SCREEN, now=1)
    with pytest.raises(CapabilityError, match="another SCREEN_PROXY_SECRET"):
        unseal(sealed, AUTH, now=1)
