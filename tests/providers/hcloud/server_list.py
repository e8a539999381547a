"""The data source `getServers`: which servers there are."""

from collections.abc import Sequence

from tests.providers.call import Call
from tests.providers.hcloud import server_order
from tests.providers.hcloud.firewall_rules import applies
from tests.providers.hcloud.label_selector import matches
from tests.providers.hcloud.project import Project
from tests.providers.values import Properties


def servers(project: Project, given: Properties, _call: Call) -> Properties:
    """Return every server with the labels and in one of the states that are asked for; without them, all."""
    selector, states = given.get("withSelector", ""), given.get("withStatuses") or []
    with project.lock:
        found = [
            _server(project, identifier, server)
            for identifier, server in project.all("server").items()
            if matches(selector, server.get("labels", {})) and _is_in(server["status"], states)
        ]
    return {**given, "id": "servers", "servers": found}


def _is_in(state: str, states: Sequence[str]) -> bool:
    return not states or state in states


def _server(project: Project, identifier: str, server: Properties) -> Properties:
    """Return one server; called with the lock. What it does not have is empty text, as in the real provider."""
    labels = server.get("labels", {})
    ipv6 = server_order.public_ipv6(project, identifier)
    return {
        "id": int(identifier),
        **{key: server[key] for key in ("name", "serverType", "image", "location", "status", "primaryDiskSize")},
        **{key: server[key] for key in ("backups", "deleteProtection", "rebuildProtection")},
        **dict.fromkeys(("backupWindow", "iso", "rescue", "datacenter"), ""),
        "labels": dict(labels),
        "firewallIds": [int(key) for key, each in project.all("firewall").items() if applies(each, identifier, labels)],
        "ipv4Address": server_order.public_ipv4(project, identifier) or "",
        "ipv6Address": f"{ipv6}1" if ipv6 else "",
        "ipv6Network": f"{ipv6}/64" if ipv6 else "",
        "networks": [
            {
                "networkId": int(each.network),
                "ip": each.address,
                "aliasIps": list(each.alias_ips),
                "macAddress": each.mac_address,
            }
            for each in project.attachments_of(identifier)
        ],
        **({"placementGroupId": server["placementGroupId"]} if server.get("placementGroupId") else {}),
    }
