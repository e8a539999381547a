"""Units of systemd that a machine gets."""

from components.machines import firewall

FIREWALL = "/etc/systemd/system/rakazo-firewall.service"


def render_firewall_unit() -> str:
    """Return the unit that brings the rules into force before there is a network."""
    return f"""# Written by rakazo-infra.
[Unit]
Description=What pods and strangers must not reach of this machine
DefaultDependencies=no
Before=network-pre.target shutdown.target
Wants=network-pre.target
Conflicts=shutdown.target
After=local-fs.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft --file {firewall.FILE}

[Install]
WantedBy=multi-user.target
"""
