"""From a load balancer and its parts to what passes its traffic on."""

from collections.abc import Mapping
from typing import Any

from tests.providers.hcloud.attaching import as_interface
from tests.providers.hcloud.firewall_rules import selects
from tests.providers.hcloud.machines import BalancerPlan, BalancerService, BalancerTarget
from tests.providers.hcloud.private_networks import Attachment
from tests.providers.hcloud.project import Project
from tests.providers.hcloud.server_order import public_ipv4


def balance(project: Project, balancer: str) -> None:
    """Make a load balancer be what its parts say; called without the lock."""
    with project.lock:
        current = plan(project, balancer)
    project.balancers.balance(current)


def plan(project: Project, balancer: str) -> BalancerPlan:
    """Return a load balancer with all its parts; called with the lock."""
    made = project.must("load balancer", balancer)
    private = network_of(project, balancer)
    networks = parts(project, "load balancer network", balancer)
    public = all(each.get("enablePublicInterface", True) for each in networks)
    services = parts(project, "load balancer service", balancer)
    targets = parts(project, "load balancer target", balancer)
    return BalancerPlan(
        id=balancer,
        name=made["name"],
        public_ipv4=made["ipv4"] if public else None,
        private=as_interface(project, private) if private else None,
        services=tuple(
            BalancerService(
                protocol=each["protocol"],
                listen_port=each["listenPort"],
                destination_port=each["destinationPort"],
                proxy_protocol=each["proxyprotocol"],
            )
            for each in services
        ),
        targets=tuple(reached for each in targets for reached in _reached(project, each, private)),
    )


def network_of(project: Project, balancer: str) -> Attachment | None:
    """Return a load balancer's private interface, of which it has one at most; called with the lock."""
    return next(iter(project.attachments_of(balancer)), None)


def parts(project: Project, kind: str, balancer: str) -> list[Mapping[str, Any]]:
    """Return the services, targets or networks of a load balancer; called with the lock."""
    return [each for each in project.all(kind).values() if str(each["loadBalancerId"]) == balancer]


def _reached(project: Project, target: Mapping[str, Any], private: Attachment | None) -> list[BalancerTarget]:
    """Return the servers of one target at the address that it says; an address outside Hetzner has no server."""
    if "ip" in target:
        return [BalancerTarget(server="", address=target["ip"])]
    servers = [
        key
        for key, server in project.all("server").items()
        if key == str(target.get("serverId")) or selects(target.get("labelSelector", ""), server.get("labels", {}))
    ]
    found = []
    for server in servers:
        if target["usePrivateIp"]:
            inside = [each.address for each in project.attachments_of(server)] if private else []
            address = inside[0] if inside else None
        else:
            address = public_ipv4(project, server)
        if address:
            found.append(BalancerTarget(server=server, address=address))
    return found
