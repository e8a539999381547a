"""Which refusals of a dry run are of the moment."""

import json
import time
from typing import Any

import pytest
from kubernetes.client.exceptions import ApiException

from probes.claims.dry_run import dry_run

CONFLICT = 'Operation cannot be fulfilled on resourcequotas "computers": the object has been modified; please apply'
FULL = 'pods "verify-dry-run" is forbidden: exceeded quota: computers'
RULE = "an image that is not the stack's"
POD: dict[str, Any] = {"kind": "Pod"}


class Refusing:
    """Pods of which the first ones are refused."""

    def __init__(self, *refusals: str) -> None:
        self.left = list(refusals)

    def create(self, pod: dict[str, Any], *, dry_run: bool) -> dict[str, Any]:
        """Accept the pod once no refusal is left."""
        assert dry_run
        if not self.left:
            return pod
        refused = ApiException(status=403)
        refused.body = json.dumps({"message": self.left.pop(0)})
        raise refused


@pytest.mark.parametrize("refusal", [CONFLICT, FULL], ids=["counted at that moment", "full at that moment"])
def test_what_passes_is_asked_again(monkeypatch: pytest.MonkeyPatch, refusal: str) -> None:
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    pods: Any = Refusing(refusal, refusal)
    assert dry_run(pods, POD) == POD


def test_what_a_rule_says_is_final() -> None:
    pods: Any = Refusing(RULE)
    assert dry_run(pods, POD) == RULE
