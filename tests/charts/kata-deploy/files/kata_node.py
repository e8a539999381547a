"""What the stand-in for kata-deploy does in its pods: `label` on each node, `forget` after an uninstall."""

import http.client
import json
import os
import signal
import ssl
import sys
import time
from pathlib import Path
from typing import Any

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
CONTAINERD = Path("/containerd/config.toml")
LABEL = "katacontainers.io/kata-runtime"
READY = Path("/tmp/ready")
KEPT = ("clusterrolebindings/kata-deploy-rb", "clusterroles/kata-deploy-role")
SECONDS = 300.0


def ask(method: str, path: str, body: object = None) -> Any:
    """Ask the API; the pod ends with its answer when that is a refusal."""
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], int(os.environ["KUBERNETES_SERVICE_PORT"])
    context = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
    link = http.client.HTTPSConnection(host, port, timeout=20, context=context)
    headers = {
        "Authorization": f"Bearer {(ACCOUNT / 'token').read_text()}",
        "Content-Type": "application/merge-patch+json",
    }
    link.request(method, path, None if body is None else json.dumps(body), headers)
    answer = link.getresponse()
    text = answer.read().decode()
    if answer.status not in (http.client.OK, http.client.NOT_FOUND):
        sys.exit(f"{method} {path}: the API answers {answer.status}: {text[:300]}")
    return json.loads(text)


def label() -> None:
    """Label the node while the pod runs, if its containerd knows every handler."""
    known = CONTAINERD.read_text() if CONTAINERD.exists() else ""
    for shim in os.environ["HANDLERS"].split(","):
        if f"kata-{shim}" not in known:
            sys.exit(f"containerd of this node knows no kata-{shim}: {CONTAINERD} is {len(known)} characters long")
    node = f"/api/v1/nodes/{os.environ['NODE']}"
    # Before the label, so that no end of the pod leaves one behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        ask("PATCH", node, {"metadata": {"labels": {LABEL: "true"}}})
        READY.touch()
        signal.pause()
    finally:
        ask("PATCH", node, {"metadata": {"labels": {LABEL: None}}})


def forget() -> None:
    """Take away the rights of the pods that label, when the last of them is gone."""
    space, deadline = f"/api/v1/namespaces/{os.environ['NAMESPACE']}", time.monotonic() + SECONDS
    while ask("GET", f"{space}/pods?labelSelector=name%3Dkata-deploy")["items"]:
        if time.monotonic() > deadline:
            sys.exit("pods of kata-deploy are still there")
        time.sleep(0.5)
    for each in KEPT:
        ask("DELETE", f"/apis/rbac.authorization.k8s.io/v1/{each}")
    ask("DELETE", f"{space}/serviceaccounts/kata-deploy-sa")


if __name__ == "__main__":
    {"label": label, "forget": forget}[sys.argv[1]]()
