"""`hcloud.LoadBalancerService`: a port that a load balancer passes on."""

from collections.abc import Mapping
from typing import Any, Final

from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.balancer_part import BalancerPart
from tests.providers.hcloud.hetzner_type import one_of
from tests.providers.values import Properties

_LISTEN: Final[Mapping[str, int]] = {"http": 80, "https": 443}
_DESTINATION: Final[Mapping[str, int]] = {"http": 80, "https": 80}


class LoadBalancerService(BalancerPart):
    """HTTP and HTTPS have ports of their own, TCP needs both (loadbalancer/resource_service.go)."""

    token = "hcloud:index/loadBalancerService:LoadBalancerService"
    kind = "load balancer service"
    absent = frozenset({"http"})

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take protocols that there are."""
        return one_of(inputs, "protocol", "tcp", "http", "https")

    def made(self, inputs: Properties) -> tuple[str, Properties]:
        """Open the port."""
        protocol, balancer = inputs["protocol"], inputs["loadBalancerId"]
        listen = inputs.get("listenPort", _LISTEN.get(protocol))
        destination = inputs.get("destinationPort", _DESTINATION.get(protocol))
        if not listen or not destination:
            raise refusals.PORTS_MISSING.error()
        identifier = f"{balancer}__{listen}"
        if self.project.find(self.kind, identifier):
            raise refusals.PORT_USED.error()
        check = {"protocol": "tcp", "port": destination, "interval": 15, "timeout": 10, "retries": 3}
        known = {"listenPort": listen, "destinationPort": destination}
        return identifier, {"proxyprotocol": False, "healthCheck": check, **inputs, **known}
