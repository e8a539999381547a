"""Admission policies put out of force for a moment."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kubernetes import client

from tests.deployments import Deployed

GROUP = ("admissionregistration.k8s.io", "v1")
MUTATING, VALIDATING = "mutatingadmissionpolicybindings", "validatingadmissionpolicybindings"
REFUSED = 403
SECONDS = 20.0
"""The API server's own copies of policies, bindings and labels follow a change within about a second."""


def eventually(look: Callable[[], object], wanted: Callable[[Any], bool]) -> None:
    """Look until the wanted is seen; AssertionError with what was seen last."""
    deadline = time.monotonic() + SECONDS
    while True:
        seen = look()
        if wanted(seen):
            return
        assert time.monotonic() < deadline, f"after {SECONDS:.0f} s still {seen}"
        time.sleep(0.2)


@contextmanager
def unbound(deployed: Deployed, plural: str, name: str) -> Iterator[None]:
    """Delete a binding and make it again; what that does to admission shows a moment later."""
    objects = client.CustomObjectsApi(deployed.api)
    binding = objects.get_cluster_custom_object(*GROUP, plural, name)
    kept = {key: value for key, value in binding["metadata"].items() if key in ("name", "labels", "annotations")}
    objects.delete_cluster_custom_object(*GROUP, plural, name)
    try:
        yield
    finally:
        again = {**{key: binding[key] for key in ("apiVersion", "kind", "spec")}, "metadata": kept}
        objects.create_cluster_custom_object(*GROUP, plural, again)
