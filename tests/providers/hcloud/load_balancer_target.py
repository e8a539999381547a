"""`hcloud.LoadBalancerTarget`: where a load balancer passes its traffic."""

from collections.abc import Mapping
from typing import Any, Final

from tests.providers.failure import Failure
from tests.providers.hcloud import refusals
from tests.providers.hcloud.balancer_part import BalancerPart
from tests.providers.hcloud.balancing import network_of
from tests.providers.hcloud.hetzner_type import exactly_one_of, one_of
from tests.providers.hcloud.server_order import public_ipv4
from tests.providers.values import Properties

_INPUT: Final[Mapping[str, str]] = {"server": "serverId", "label_selector": "labelSelector", "ip": "ip"}


class LoadBalancerTarget(BalancerPart):
    """A server, all servers with some labels, or an address elsewhere."""

    token = "hcloud:index/loadBalancerTarget:LoadBalancerTarget"
    kind = "load balancer target"

    def check(self, inputs: Mapping[str, Any]) -> list[Failure]:
        """Take one target, and the one that `type` says."""
        failures = one_of(inputs, "type", *_INPUT) + exactly_one_of(inputs, *_INPUT.values())
        needed = _INPUT.get(str(inputs.get("type")))
        if needed and not failures and inputs.get(needed) is None:
            failures.append(Failure(path=needed, reason="must be given for this type"))
        return failures

    def made(self, inputs: Properties) -> tuple[str, Properties]:
        """Add the target, when it can be reached where the load balancer would reach it."""
        private, balancer = inputs.get("usePrivateIp", False), str(inputs["loadBalancerId"])
        network = network_of(self.project, balancer)
        if private and network is None:
            raise refusals.BALANCER_LACKS_NETWORK.error()
        if "serverId" in inputs:
            self._check_reachable(str(inputs["serverId"]), network.network if private and network else None)
        aim = inputs[_INPUT[inputs["type"]]]
        return f"lb-{inputs['type']}-{aim}-{balancer}", {**inputs, "usePrivateIp": private}

    def _check_reachable(self, server: str, network: str | None) -> None:
        self.project.must("server", server)
        if network is None:
            if public_ipv4(self.project, server) is None:
                raise refusals.TARGET_LACKS_ADDRESS.error()
        elif network not in {each.network for each in self.project.attachments_of(server)}:
            raise refusals.TARGET_LACKS_NETWORK.error()
