"""When a verification may begin: a machine that was emptied a moment ago has moved services, and nobody waited."""

import time
from collections.abc import Callable, Iterator

from kubernetes import client

from probes.facts import Facts
from probes.surroundings import COMPONENT, INSTANCE, Surroundings, look_around

SETTLE_SECONDS = 180.0
"""A service that moves is stopped, started on another node and found ready there; on a busy one api takes a minute."""


def settled(
    api: client.ApiClient, facts: Facts, tell: Callable[[str], None], seconds: float = SETTLE_SECONDS
) -> Surroundings:
    """Look around as soon as every service is ready and no pod of it is to be replaced, or at the end of `seconds`.

    ApiException when the operator may not look.
    """
    deadline, named = time.monotonic() + seconds, set[str]()
    while True:
        changing = set(_changing(client.AppsV1Api(api), facts))
        around = look_around(api, facts)
        absent = changing | ({service.name for service in facts.application_services} - set(around.names))
        if not absent or time.monotonic() > deadline:
            return around
        if absent != named:
            tell(f"waiting until these are ready: {', '.join(sorted(absent))}")
            named = absent
        time.sleep(0.5)  # the poll's interval


def _changing(apps: client.AppsV1Api, facts: Facts) -> Iterator[str]:
    """Yield services that Kubernetes has not rolled out: a pod that is ready may end in the middle of a look."""
    selector = f"{INSTANCE}={facts.application},{COMPONENT}"
    for listed in (apps.list_namespaced_deployment, apps.list_namespaced_stateful_set):
        for workload in listed(facts.application, label_selector=selector).items:
            wanted, status = workload.spec.replicas, workload.status
            current = (status.observed_generation or 0) >= workload.metadata.generation
            if not current or {status.updated_replicas or 0, status.replicas or 0} != {wanted}:
                yield workload.metadata.labels[COMPONENT]
