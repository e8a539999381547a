"""When a verification may begin: a machine that was emptied a moment ago has moved services, and nobody waited."""

import time
from collections.abc import Callable

from kubernetes import client

from probes.facts import Facts
from probes.surroundings import Surroundings, look_around

SETTLE_SECONDS = 180.0
"""A service that moves is stopped, started on another node and found ready there; on a busy one api takes a minute."""


def settled(
    api: client.ApiClient, facts: Facts, tell: Callable[[str], None], seconds: float = SETTLE_SECONDS
) -> Surroundings:
    """Look around as soon as a pod of every service is ready, or at the end of `seconds` without those that are not.

    ApiException when the operator may not look.
    """
    deadline, named = time.monotonic() + seconds, set[str]()
    while True:
        around = look_around(api, facts)
        absent = {service.name for service in facts.application_services} - set(around.names)
        if not absent or time.monotonic() > deadline:
            return around
        if absent != named:
            tell(f"waiting until these are ready: {', '.join(sorted(absent))}")
            named = absent
        time.sleep(0.5)  # the poll's interval
