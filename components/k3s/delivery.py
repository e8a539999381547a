"""All that a node's machine is given."""

from pathlib import Path

from components.k3s import bucket, config, containerd, gvisor, unit
from components.k3s.plan import Node, Plan
from components.machines.file import File, script, staged
from components.machines.preparation import INTERFACE_SECONDS, preparation_files
from components.machines.variables import render_variables

SCRIPTS = Path(__file__).with_name("scripts")
STEPS = ("gvisor", "fetch", "vacate", "k3s", "settle", "dismiss", "leave", "remove")
SHARED = ("join", "restore", "upgrade", "pods")


def node_files(plan: Plan, node: Node) -> list[File]:
    """Return every file of a node: scripts, the variables that they read, and what they put in place."""
    return [
        _variables(plan, node),
        *preparation_files(plan.firewall),
        *(script(SCRIPTS, name) for name in STEPS),
        *(script(SCRIPTS, name, mode="644") for name in SHARED),
        *staged("gvisor", _gvisor_files(plan, node)),
        *staged("k3s", _k3s_files(plan, node)),
    ]


def _gvisor_files(plan: Plan, node: Node) -> list[File]:
    if plan.gvisor is None or not node.runs_computers:
        return []
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
    joins = bool(peers) and plan.never_begins
    restored = bucket.restore_variables(plan, node)
    return render_variables(
        {
            "STACK": plan.stack,
            "MACHINE_NAME": node.name,
            "MACHINE_TYPE": node.hardware,
            "ROLE": node.role,
            "NODE_ADDRESS": node.node_address,
            "INTERFACE_PATIENCE": str(INTERFACE_SECONDS),
            "AWAITS_CLOUD_INIT": "yes" if plan.awaits_cloud_init else "no",
            "NEEDS_KVM": "yes" if plan.needs_kvm and node.runs_computers else "no",
            "NEEDS_WIREGUARD": "no" if plan.is_private else "yes",
            "MIRROR": plan.k3s.mirror,
            "BEGINS": "yes" if node is first and (not joins or restored["RESTORE"]) else "no",
            "PEERS": " ".join(peers),
            "IS_FIRST": "yes" if node is first else "no",
            "NODES": " ".join(each.name for each in plan.nodes),
            **restored,
            "K3S_VERSION": plan.k3s.version,
            "K3S_URL": plan.k3s.url,
            "K3S_SHA256": plan.k3s.sha256,
            **_gvisor_variables(plan, node),
        }
    )


def _gvisor_variables(plan: Plan, node: Node) -> dict[str, str]:
    """Return which release is installed; an empty name is none."""
    release = plan.gvisor if node.runs_computers else None
    return {
        "GVISOR_RELEASE": "" if release is None else release.release,
        "GVISOR_URL": "" if release is None else release.url,
        "GVISOR_SHA512": "" if release is None else release.sha512,
        "GVISOR_PLATFORM": "" if release is None else release.platform,
    }
