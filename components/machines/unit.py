"""Units of systemd that a machine gets."""

from components.machines import firewall

FIREWALL = "/etc/systemd/system/rakazo-firewall.service"
KEEPER = "/etc/systemd/system/rakazo-firewall-keep.service"
TIMER = "/etc/systemd/system/rakazo-firewall-keep.timer"
KEEP_SECONDS = 30
"""Between two looks whether rules are still there; the longest takes a tenth of a second."""


def render_firewall_unit() -> str:
    """Return the unit that brings the rules into force before there is a network.

    After those that begin with taking everybody's rules away.
    """
    return f"""# Written by rakazo-infra.
[Unit]
Description=What pods and strangers must not reach of this machine
DefaultDependencies=no
Before=network-pre.target shutdown.target
Wants=network-pre.target
Conflicts=shutdown.target
After=local-fs.target nftables.service netfilter-persistent.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft --file {firewall.FILE}

[Install]
WantedBy=multi-user.target
"""


def render_keeper() -> str:
    """Return the unit of one look: rules that somebody flushed meanwhile come back."""
    there = f"/usr/sbin/nft list table inet {firewall.TABLE} >/dev/null 2>&1"
    return f"""# Written by rakazo-infra.
[Unit]
Description=Whether what closes this machine to pods and strangers is still there
After=rakazo-firewall.service

[Service]
Type=oneshot
ExecStart=/bin/sh -c '{there} || exec /usr/sbin/nft --file {firewall.FILE}'
"""


def render_timer(guarded: str = "What closes this machine to pods and strangers") -> str:
    """Return the timer of the looks of a keeper; `guarded` says what it looks at."""
    return f"""# Written by rakazo-infra.
[Unit]
Description={guarded} is looked at again and again

[Timer]
OnActiveSec={KEEP_SECONDS}
OnUnitActiveSec={KEEP_SECONDS}
AccuracySec=1

[Install]
WantedBy=timers.target
"""
