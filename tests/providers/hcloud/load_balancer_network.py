"""`hcloud.LoadBalancerNetwork`: a load balancer's private interface."""

from collections.abc import Mapping
from typing import Any

from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.attaching import forget, reserve_address
from tests.providers.hcloud.balancer_part import BalancerPart
from tests.providers.hcloud.balancing import network_of
from tests.providers.hcloud.hetzner_type import exactly_one_of
from tests.providers.hcloud.server_network import check_wish
from tests.providers.values import Properties


class LoadBalancerNetwork(BalancerPart):
    """A load balancer is in one network at most."""

    token = "hcloud:index/loadBalancerNetwork:LoadBalancerNetwork"
    kind = "load balancer network"

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take a network or a subnet."""
        return exactly_one_of(inputs, "networkId", "subnetId") + check_wish(inputs, "")

    def made(self, inputs: Properties) -> tuple[str, Properties]:
        """Give the load balancer an address in the network."""
        balancer = str(inputs["loadBalancerId"])
        if network_of(self.project, balancer):
            raise refusals.BALANCER_HAS_NETWORK.error()
        attachment = reserve_address(self.project, "load balancer", balancer, inputs)
        known = {"ip": attachment.address, "networkId": int(attachment.network)}
        return f"{balancer}-{attachment.network}", {"enablePublicInterface": True, **inputs, **known}

    def unmade(self, identifier: str) -> None:
        """Give the address back."""
        forget(self.project, identifier.partition("-")[0])
