"""Finding a value wherever and however it is written; all values here are invented."""

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest

from probes.claims.secrets_nowhere import search
from probes.secret_values import leaks, sought

PASSWORD = 'p/ss w+rd"&ä'


def secret(name: str, *, kind: str = "Opaque", **values: str) -> dict[str, Any]:
    data = {key.replace("_DOT_", "."): base64.b64encode(value.encode()).decode() for key, value in values.items()}
    return {"metadata": {"name": name}, "type": kind, "data": data}


STORE = [secret("rakazo-api", PASSWORD=PASSWORD)]


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        f"before {PASSWORD} after",
        json.dumps({"value": PASSWORD}),
        json.dumps({"value": PASSWORD}, ensure_ascii=False).replace("&", r"\u0026"),
        f"postgresql://rakazo:{quote(PASSWORD, safe='')}@host/db",
        f"https://host/?password={quote(PASSWORD)}",
        encoded(PASSWORD),
        f"Basic {encoded(f'u:{PASSWORD}')}",
        f"Basic {encoded(f'us:{PASSWORD}')}",
        f"Basic {encoded(f'use:{PASSWORD} and more')}",
        base64.urlsafe_b64encode(f"x{PASSWORD}y".encode()).decode(),
    ],
    ids=[
        "plain",
        "JSON",
        "JSON by Go",
        "URL",
        "query",
        "base64",
        "base64 after 2",
        "base64 after 3",
        "base64 in between",
        "URL-safe",
    ],
)
def test_a_value_is_found_however_it_is_written(text: str) -> None:
    """B008, B009."""
    assert leaks(sought(STORE), {"pod web": text}) == ["PASSWORD of Secret rakazo-api in pod web"]


def test_another_text_holds_nothing() -> None:
    assert leaks(sought(STORE), {"pod web": PASSWORD[:-1] + encoded(PASSWORD[1:-1])}) == []


def test_a_value_of_two_secrets_is_one_value_with_two_names() -> None:
    (only,) = sought([secret("rakazo-api", KEY="shared-value"), secret("rakazo-web", KEY="shared-value\n")])
    assert only.name == "KEY of Secret rakazo-api and KEY of Secret rakazo-web"


def test_what_is_short_public_or_a_document_is_not_looked_for() -> None:
    """A word of seven letters is found everywhere by chance; a certificate is for everybody."""
    assert (
        sought(
            [
                secret("a", WORD="rakazo7"),
                secret("b", kind="kubernetes.io/tls", tls_DOT_crt="-----BEGIN CERTIFICATE-----"),
                secret("c", kind="helm.sh/release.v1", release="H4sIAAAAAAAA"),
            ]
        )
        == []
    )


def test_a_value_is_never_shown() -> None:
    """Neither by what is said about it nor by what a traceback prints of it."""
    (only,) = sought(STORE)
    found = search(STORE).judge("logs", {"pod web": PASSWORD})
    for text in (repr(only), str(only), repr(found)):
        assert not only.is_in(text)
    assert found.seen == "PASSWORD of Secret rakazo-api in pod web"


def test_bytes_that_are_no_text_are_looked_for_in_base64() -> None:
    raw = bytes(range(128, 160))
    store = [{"metadata": {"name": "x"}, "data": {"key": base64.b64encode(raw).decode()}}]
    assert leaks(sought(store), {"log": base64.b64encode(b"a" + raw).decode()}) == ["key of Secret x in log"]


def test_a_search_is_tried_on_the_secrets_themselves() -> None:
    found = search(STORE)
    assert (found.works, found.control) == (True, "in the Secrets: 1 of 1 values")


@pytest.mark.parametrize(
    ("items", "texts", "holds"),
    [
        (STORE, {"log": "nothing"}, True),
        (STORE, {"log": PASSWORD}, False),
        (STORE, {}, None),
        ([], {"log": "nothing"}, None),
    ],
)
def test_with_nothing_to_look_for_or_in_nothing_is_known(
    items: list[dict[str, Any]], texts: dict[str, str], holds: bool | None
) -> None:
    assert search(items).judge("logs", texts).holds is holds
