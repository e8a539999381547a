"""What cloud-init finds on a machine's disk at the first boot."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import yaml

from tests.machines.boot import VAR

SEED = "lib/cloud/seed/nocloud"


def plant(disk: Path, root: Path, *, name: str, instance_id: str, user_data: str, public_keys: Sequence[str]) -> None:
    """Make a machine's empty disk, and put the user data and what a cloud says of the machine onto it."""
    for folder in ("upper/etc", "work"):
        (disk / folder).mkdir(parents=True)
    for folder in ("upper", "upper/etc"):
        (disk / folder).chmod(0o755)
    (disk / "upper/etc/hostname").write_text(f"{name}\n")
    shutil.copytree(root / VAR, disk / VAR, symlinks=True)
    seed = disk / VAR / SEED
    seed.mkdir(parents=True)
    facts = {"instance-id": instance_id, "local-hostname": name, "public-keys": list(public_keys)}
    (seed / "meta-data").write_text(yaml.safe_dump(facts))
    (seed / "user-data").write_text(user_data or "#cloud-config\n{}\n")
