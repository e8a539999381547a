"""What a deployment changes about a server that is there."""

from tests.providers.hcloud import refusals, server_order
from tests.providers.hcloud.attaching import plug_in, plug_out
from tests.providers.hcloud.placement_group import check_room
from tests.providers.hcloud.primary_ip import UNASSIGNED
from tests.providers.hcloud.private_networks import Wish
from tests.providers.hcloud.project import Project
from tests.providers.values import Properties

_FLAGS = (
    "name",
    "labels",
    "backups",
    "deleteProtection",
    "ignoreRemoteFirewallIds",
    "keepDisk",
    "rebuildProtection",
    "shutdownBeforeDeletion",
)


def carry_out(project: Project, server: str, inputs: Properties) -> None:
    """Bring a server to what its inputs say, in the order of the real provider; called without the lock.

    RefusedError leaves what came before it in force, as there.
    """
    with project.lock:
        made = project.must("server", server)
        for name in _FLAGS:
            if name in inputs:
                made[name] = inputs[name]
            else:
                made.pop(name, None)
    _change_type(project, server, inputs["serverType"])
    _change_networks(project, server, inputs)
    _change_firewalls(project, server, inputs)
    _change_public_side(project, server, inputs)
    _change_group(project, server, inputs)


def _change_type(project: Project, server: str, wanted: str) -> None:
    """Switch off, take the disk to another host, switch on: Hetzner starts it again by itself."""
    with project.lock:
        made = project.must("server", server)
        if made["serverType"] == wanted:
            return
        server_order.check_offer(project, {**made, "serverType": wanted})
    project.servers.power_off(server, gracefully=False)
    project.servers.power_on(server)
    with project.lock:
        made["serverType"] = wanted


def _change_networks(project: Project, server: str, inputs: Properties) -> None:
    """Without `networks` in the program nothing is touched: ServerNetwork resources may have plugged it in."""
    if "networks" not in inputs:
        return
    wanted = {Wish.of(each).network: each for each in inputs["networks"]}
    for attachment in project.attachments_of(server):
        wish = wanted.get(attachment.network)
        same = wish and wish.get("ip", attachment.address) == attachment.address
        aliases = tuple(wish.get("aliasIps", attachment.alias_ips)) if wish else ()
        if not same or sorted(aliases) != sorted(attachment.alias_ips):
            plug_out(project, server, attachment.network)
    for each in wanted.values():
        plug_in(project, server, each)
    with project.lock:
        project.must("server", server)["networks"] = inputs["networks"]


def _change_firewalls(project: Project, server: str, inputs: Properties) -> None:
    if "firewallIds" not in inputs:
        return
    with project.lock:
        for identifier in inputs["firewallIds"]:
            project.must("firewall", identifier)
        before = [list(each["applyTos"]) for each in project.all("firewall").values()]
        for key, firewall in project.all("firewall").items():
            others = [each for each in firewall["applyTos"] if str(each.get("server")) != server]
            ours = [{"server": int(server)}] if int(key) in inputs["firewallIds"] else []
            firewall["applyTos"] = others + ours
        changed = before != [each["applyTos"] for each in project.all("firewall").values()]
    if changed:
        project.filter(server)


def _change_public_side(project: Project, server: str, inputs: Properties) -> None:
    """Take away what the program no longer has, give what it now has; the server is off meanwhile."""
    with project.lock:
        made = project.must("server", server)
        if server_order.public_side(made) == server_order.public_side(inputs):
            return
        side = server_order.public_side(inputs)
        for version, reserved in side.items():
            if reserved and str(project.must("primary IP", reserved)["assigneeId"]) != server:
                server_order.check_address(project, reserved, version, made["location"])
        before = server_order.public_ipv4(project, server)
        for identifier, address in list(project.all("primary IP").items()):
            if str(address["assigneeId"]) == server and str(side.get(address["type"], "")) != identifier:
                kept = side.get(address["type"]) == 0 and address["autoDelete"]
                if not kept and address["autoDelete"]:
                    project.remove("primary IP", identifier)
                elif not kept:
                    address.update({"assigneeId": 0, "assigneeType": UNASSIGNED})
        has = {each["type"] for each in project.all("primary IP").values() if str(each["assigneeId"]) == server}
        missing = {version: reserved for version, reserved in side.items() if version not in has}
        server_order.assign(project, server, made["name"], made["location"], missing)
        after = server_order.public_ipv4(project, server)
        made["publicNets"] = inputs.get("publicNets", [])
    project.servers.power_off(server, gracefully=False)
    if before != after:
        project.servers.set_public_ipv4(server, after)
    project.servers.power_on(server)


def _change_group(project: Project, server: str, inputs: Properties) -> None:
    with project.lock:
        made = project.must("server", server)
        wanted = inputs.get("placementGroupId")
        if made.get("placementGroupId") == wanted:
            return
        if "placementGroupId" in made and made["status"] != "off":
            raise refusals.RUNS_IN_GROUP.error()
        if wanted:
            check_room(project, wanted)
        if made["status"] != "off":
            raise refusals.SERVER_RUNS.error()
        made["placementGroupId"] = wanted
