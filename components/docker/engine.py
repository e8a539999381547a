"""Docker's own configuration and units, where Docker is ours."""

import json

from stacks.target.docker import NETWORK

HOME = "/usr/local/lib/rakazo-docker"
"""Releases of the engine, the one that runs under the name `current`, and Compose."""
CONFIGURATION = "/etc/docker/daemon.json"
CONTAINERD_NAME = "rakazo-containerd.service"
CONTAINERD = f"/etc/systemd/system/{CONTAINERD_NAME}"
CONTAINERD_CONFIGURATION = "/etc/docker/rakazo-containerd.toml"
CONTAINERD_SOCKET = "/run/docker/containerd/containerd.sock"
SERVICE = "/etc/systemd/system/docker.service"
SOCKET = "/etc/systemd/system/docker.socket"


def render_configuration(address_pool: str) -> str:
    """Return daemon.json.

    Users are not mapped: the supervisor commands the socket as root, and a computer's home belongs to the same user on
    the machine, in api and in the computer.
    """
    document = {
        # Containers go on while Docker itself restarts, for an upgrade of it above all.
        "live-restore": True,
        "log-driver": "local",
        "log-opts": {"max-size": "10m", "max-file": "3"},
        "default-address-pools": [{"base": address_pool, "size": NETWORK}],
    }
    return json.dumps(document, indent=2) + "\n"


def render_containerd_configuration() -> str:
    """Return the configuration of Docker's containerd; its places are those where Docker itself would start one."""
    return f"""# Written by rakazo-infra.
version = 2
root = "/var/lib/docker/containerd/daemon"
state = "/run/docker/containerd/daemon"
disabled_plugins = ["io.containerd.grpc.v1.cri"]

[grpc]
  address = "{CONTAINERD_SOCKET}"
"""


def render_containerd() -> str:
    """Return the unit of Docker's containerd, which starts with Docker.

    Left to itself, Docker takes the machine's own containerd as soon as there is one, also years later: containers
    that run on through that restart are unknown there, and Docker starts each of them a second time.
    """
    return f"""# Written by rakazo-infra.
[Unit]
Description=Docker's containerd

[Service]
Type=notify
Environment=PATH={HOME}/current:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ExecStartPre=-/sbin/modprobe overlay
ExecStart={HOME}/current/containerd --config {CONTAINERD_CONFIGURATION}
# Containers outlive a restart: only containerd itself is ended.
KillMode=process
Delegate=yes
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-500
Restart=always
RestartSec=2
"""


def render_service() -> str:
    """Return the unit of Docker. It uses its own containerd, whatever other one the machine has."""
    return f"""# Written by rakazo-infra.
[Unit]
Description=Docker Engine
Wants=network-online.target {CONTAINERD_NAME}
Requires=docker.socket
After=network-online.target docker.socket nftables.service {CONTAINERD_NAME}

[Service]
Type=notify
Environment=PATH={HOME}/current:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ExecStart={HOME}/current/dockerd --host=fd:// --containerd={CONTAINERD_SOCKET}
ExecReload=/bin/kill -s HUP $MAINPID
# Containers outlive a restart: only Docker itself is ended.
KillMode=process
Delegate=yes
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-500
TimeoutStartSec=infinity
Restart=always
RestartSec=2

[Install]
WantedBy=multi-user.target
"""


def render_socket() -> str:
    """Return the unit of its socket, which stays the same file while Docker restarts: the supervisor holds it open."""
    return """# Written by rakazo-infra.
[Unit]
Description=Docker's socket

[Socket]
ListenStream=/run/docker.sock
SocketMode=0600
SocketUser=root
SocketGroup=root

[Install]
WantedBy=sockets.target
"""
