"""The two things that a node's pods ask the cluster's API, each with the token of its pod."""

import http.client
import json
import os
import ssl
from pathlib import Path

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
SECONDS = 10.0
"""Of one call. A connection that began before its node knew the way to the API is never answered: another one is."""


class ApiError(Exception):
    """The API does not answer, or refuses."""


def _call(method: str, path: str, body: object = None, kind: str = "application/json") -> tuple[int, str]:
    # Read for each call: the kubelet renews the token.
    token = (ACCOUNT / "token").read_text()
    context = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], int(os.environ["KUBERNETES_SERVICE_PORT"])
    link = http.client.HTTPSConnection(host, port, timeout=SECONDS, context=context)
    try:
        link.request(
            method,
            path,
            None if body is None else json.dumps(body),
            {"Authorization": f"Bearer {token}", "Content-Type": kind},
        )
        answer = link.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        raise ApiError(f"the API at {host}:{port} does not answer: {error}") from error
    finally:
        link.close()


def is_leaving(namespace: str, name: str) -> bool:
    """Whether the daemon set of this pod is being deleted, or is gone; ApiError: nobody knows."""
    status, text = _call("GET", f"/apis/apps/v1/namespaces/{namespace}/daemonsets/{name}")
    if status == http.client.NOT_FOUND:
        return True
    if status != http.client.OK:
        raise ApiError(f"the API answers {status}: {text[:300]}")
    return "deletionTimestamp" in json.loads(text)["metadata"]


def label(node: str, key: str, value: str | None) -> None:
    """Set a label of a node, or take it away with None; ApiError: refused."""
    body = {"metadata": {"labels": {key: value}}}
    status, text = _call("PATCH", f"/api/v1/nodes/{node}", body, "application/merge-patch+json")
    if status != http.client.OK:
        raise ApiError(f"the API answers {status}: {text[:300]}")
