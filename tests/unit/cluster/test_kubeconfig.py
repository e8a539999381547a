"""The kubeconfig that leaves a server."""

import pytest
import yaml

from components.k3s.kubeconfig import rewrite
from tests.unit.outputs import KEY, KUBECONFIG


def test_it_names_the_real_address_and_a_context_of_its_own() -> None:
    """B004: a context called `default` is somebody's other cluster."""
    made = yaml.safe_load(rewrite(KUBECONFIG, "203.0.113.10", "rakazo-team"))
    assert made["clusters"] == [
        {
            "name": "rakazo-team",
            "cluster": {"certificate-authority-data": "Q0E=", "server": "https://203.0.113.10:6443"},
        }
    ]
    assert made["contexts"] == [{"name": "rakazo-team", "context": {"cluster": "rakazo-team", "user": "rakazo-team"}}]
    assert made["current-context"] == "rakazo-team"
    assert made["users"][0]["user"]["client-key-data"] == KEY
    assert "default" not in yaml.safe_dump(made)


@pytest.mark.parametrize("document", ["", "no such file", "clusters: []\nusers: []\n", f"a: [{KEY}", "- 1\n"])
def test_anything_else_is_refused_without_being_quoted(document: str) -> None:
    with pytest.raises(ValueError, match="what the server gave out as its kubeconfig is none") as refusal:
        rewrite(document, "203.0.113.10", "rakazo-team")
    assert KEY not in str(refusal.value)
    assert refusal.value.__cause__ is None
