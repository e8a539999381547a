"""A credential that ends after a week, and the document that holds it."""

from datetime import UTC, datetime

import pytest
import yaml

from components.targets.digitalocean.existing import Credential
from components.targets.digitalocean.kubeconfig import choose_credential, render_kubeconfig

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def credential(token: str, expires_at: str = "2026-12-07T12:00:00Z") -> Credential:
    return Credential(host="https://127.0.0.1:1", authority="Q0E=", token=token, expires_at=expires_at)


@pytest.mark.parametrize(
    ("expires_at", "token"),
    [
        ("2026-12-07T12:00:00Z", "kept"),
        ("2026-11-30T14:00:00+00:00", "kept"),
        ("2026-11-30T13:00:00Z", "asked"),
        ("2026-11-30T11:59:00Z", "asked"),
        ("2026-11-22T12:00:00Z", "asked"),
    ],
)
def test_a_credential_that_ended_or_soon_will_is_asked_for_anew(expires_at: str, token: str) -> None:
    """B098: an hour has to be left, which one `pulumi up` may take."""
    assert choose_credential(credential("kept", expires_at), credential("asked"), NOW).token == token


def test_a_cluster_that_is_made_in_this_run_has_its_own() -> None:
    """B098."""
    assert choose_credential(credential("kept"), None, NOW).token == "kept"


def test_the_document_has_one_context_under_the_given_name() -> None:
    document = yaml.safe_load(render_kubeconfig("rakazo-team-cluster", credential("secret")))
    assert document["current-context"] == "rakazo-team-cluster"
    (context,), (user,), (cluster,) = document["contexts"], document["users"], document["clusters"]
    assert context["context"] == {"cluster": cluster["name"], "user": user["name"]}
    assert user["user"] == {"token": "secret"}
    assert cluster["cluster"]["server"] == "https://127.0.0.1:1"


def test_a_credential_is_not_shown() -> None:
    assert "kept" not in repr(credential("kept"))
