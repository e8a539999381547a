"""All that a node's machine is given."""

from pathlib import Path

from components.k3s import config, containerd, gvisor, unit
from components.k3s.plan import Node, Plan
from components.machines.file import File, script, staged
from components.machines.preparation import INTERFACE_SECONDS, preparation_files
from components.machines.variables import render_variables

SCRIPTS = Path(__file__).with_name("scripts")
STEPS = ("gvisor", "k3s", "settle", "leave", "remove")
SHARED = ("join", "upgrade")


def node_files(plan: Plan, node: Node) -> list[File]:
    """Return every file of a node: scripts, the variables that they read, and what they put in place."""
    return [
        _variables(plan, node),
        *preparation_files(plan.firewall),
        *(script(SCRIPTS, name) for name in STEPS),
        *(script(SCRIPTS, name, mode="644") for name in SHARED),
        *staged("gvisor", _gvisor_files(plan) if node.runs_computers else []),
        *staged("k3s", _k3s_files(plan, node)),
    ]


def _gvisor_files(plan: Plan) -> list[File]:
    return [
        File(path=containerd.RUNSC_SETTINGS, content=gvisor.render_runsc(plan.gvisor)),
        containerd.choose_runtime_file(plan.k3s.release),
    ]


def _k3s_files(plan: Plan, node: Node) -> list[File]:
    return [
        File(path=config.SHARED, content=config.render_shared(plan, node.role), mode="600"),
        File(path=config.OWN, content=config.render_own(node), mode="600"),
        File(path=unit.path(node.role), content=unit.render_unit(node.role, node.node_address)),
    ]


def _variables(plan: Plan, node: Node) -> File:
    first = plan.servers[0]
    peers = [server.node_address for server in plan.servers if server is not node]
    return render_variables(
        {
            "STACK": plan.stack,
            "MACHINE_NAME": node.name,
            "MACHINE_TYPE": node.hardware,
            "ROLE": node.role,
            "NODE_ADDRESS": node.node_address,
            "INTERFACE_PATIENCE": str(INTERFACE_SECONDS),
            "AWAITS_CLOUD_INIT": "yes" if plan.awaits_cloud_init else "no",
            "NEEDS_WIREGUARD": "no" if plan.is_private else "yes",
            "MIRROR": plan.k3s.mirror,
            "BEGINS": "yes" if node is first and not (peers and plan.never_begins) else "no",
            "PEERS": " ".join(peers),
            "K3S_VERSION": plan.k3s.version,
            "K3S_URL": plan.k3s.url,
            "K3S_SHA256": plan.k3s.sha256,
            "GVISOR_RELEASE": plan.gvisor.release if node.runs_computers else "",
            "GVISOR_URL": plan.gvisor.url,
            "GVISOR_SHA512": plan.gvisor.sha512,
            "GVISOR_PLATFORM": plan.gvisor.platform,
        }
    )
