"""Docker Engine and Compose as they are published: one archive with a folder, and one program.

dockerd, its proxy, the client and Compose are those of tools/. What runs containers comes from the machines' own root,
which is where it runs: Debian's containerd and runc need Debian's libraries.

`python -m tests.docker_release` makes both, so that no test has to wait for it.
"""

import tarfile
from pathlib import Path
from typing import Any

from rich.console import Console

from local import toolchain
from local.cache import Slot, images_root
from tests.estate_stack import checksum
from tests.machines import root
from tests.machines.estate import Estate

FORMAT = "1"
VERSION = "28.5.2"
COMPOSE_VERSION = "5.5.1"
ARCHIVE = f"linux/static/stable/x86_64/docker-{VERSION}.tgz"
COMPOSE = f"v{COMPOSE_VERSION}/docker-compose-linux-x86_64"
BUILT = ("docker", "dockerd", "docker-proxy")
OF_DEBIAN = {
    "containerd": "usr/bin/containerd",
    "containerd-shim-runc-v2": "usr/bin/containerd-shim-runc-v2",
    "ctr": "usr/bin/ctr",
    "docker-init": "usr/bin/tini-static",
    "runc": "usr/sbin/runc",
}
"""Name in the archive to path in the machines' root."""


def docker_archive(console: Console) -> Path:
    """Return the archive; packing it takes seconds, once. ToolchainError: a program of tools/ cannot be built."""
    tools, machine = toolchain.ensure_docker(console), root.ensure(console)
    slot = Slot.of(images_root() / "docker-release", (FORMAT, str(tools), machine.name, *OF_DEBIAN.values()))

    def make(workspace: Path) -> Path:
        sources = {name: tools / name for name in BUILT} | {name: machine / path for name, path in OF_DEBIAN.items()}
        with tarfile.open(workspace / "docker.tgz", "w:gz", compresslevel=1) as archive:
            for name, source in sorted(sources.items()):
                archive.add(source.resolve(), f"docker/{name}", filter=_executable)
        return workspace

    return slot.ensure(make) / "docker.tgz"


def compose_program(console: Console) -> Path:
    """Return Compose, which is one file. ToolchainError: it cannot be built."""
    return toolchain.ensure_docker(console) / "docker-compose"


def docker_settings(estate: Estate, console: Console) -> dict[str, Any]:
    """Return what a stack file says of both below `target.docker`; the estate's mirror serves them from then on."""
    archive, compose = docker_archive(console), compose_program(console)
    estate.mirror.serve(f"docker/{ARCHIVE}", archive)
    estate.mirror.serve(f"compose/{COMPOSE}", compose)
    return {
        "version": VERSION,
        "sha256": checksum(archive, "sha256"),
        "mirror": f"{estate.mirror.url}/docker",
        "compose_version": COMPOSE_VERSION,
        "compose_sha256": checksum(compose, "sha256"),
        "compose_mirror": f"{estate.mirror.url}/compose",
    }


def _executable(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mode, entry.uid, entry.gid, entry.uname, entry.gname = 0o755, 0, 0, "", ""
    return entry


if __name__ == "__main__":
    docker_archive(Console(stderr=True))
