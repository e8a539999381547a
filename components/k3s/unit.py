"""The unit of systemd that runs k3s."""

from components.machines.preparation import INTERFACE, INTERFACE_SECONDS
from stacks.target.machine import Role

NAMES = {"server": "k3s", "agent": "k3s-agent"}
"""As k3s' own installer calls them."""


def path(role: Role) -> str:
    """Return where the unit lies."""
    return f"/etc/systemd/system/{NAMES[role]}.service"


def render_unit(role: Role, node_address: str) -> str:
    """Return the unit of a server or an agent. No node runs without its firewall."""
    return f"""# Written by rakazo-infra.
[Unit]
Description=Kubernetes (k3s {role})
Wants=network-online.target
Requires=rakazo-firewall.service
After=network-online.target rakazo-firewall.service

[Service]
Type=notify
# The name of the interface is known only now, and the interface may be late.
ExecStartPre={INTERFACE} {node_address} {INTERFACE_SECONDS}
ExecStartPre=-/sbin/modprobe br_netfilter
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/k3s {role}
# Pods outlive a restart: only k3s itself is ended.
KillMode=process
Delegate=yes
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
TimeoutStartSec=infinity
Restart=always
RestartSec=5

[Install]
WantedBy=multi-user.target
"""
