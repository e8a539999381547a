"""Asking the API server whether it would make a pod; nothing is made."""

import time
from typing import Any

from kubernetes import client
from kubernetes.client.exceptions import ApiException

from probes.claims.admission_verdict import QUOTA
from probes.pods import Pods, said

NAME = "verify-dry-run"
ROOM_SECONDS = 20.0
"""For so long other probes may fill the quota."""
PASSING = (QUOTA, "object has been modified")
"""What refuses a pod for a moment only: a full quota, or one that counts another pod at that moment."""


def dry_run(pods: Pods, pod: dict[str, Any]) -> client.V1Pod | str:
    """Return the pod that would be made, with all that the cluster adds, or the sentence of the refusal."""
    deadline = time.monotonic() + ROOM_SECONDS
    while True:
        try:
            return pods.create(pod, dry_run=True)
        except ApiException as error:
            answer = sentence(error)
            if not any(words in answer for words in PASSING) or time.monotonic() > deadline:
                return answer
        time.sleep(0.5)


def refusal(pods: Pods, pod: dict[str, Any]) -> str | None:
    """Return the sentence of the refusal at once, or None when the pod is accepted."""
    try:
        pods.create(pod, dry_run=True)
    except ApiException as error:
        return sentence(error)
    return None


def sentence(error: ApiException) -> str:
    """Return what the API server says, without the name of a pod that never is."""
    return said(error).removeprefix(f'pods "{NAME}" is forbidden: ')
