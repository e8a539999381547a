"""`k3s etcd-snapshot`: copies of the store on this server."""

import argparse
import datetime as dt
import time
from collections.abc import Sequence
from pathlib import Path

from tests.k3s.program import s3
from tests.k3s.program.configuration import DEFAULT_FILE, Values, read
from tests.k3s.program.etcd import Etcd
from tests.k3s.program.flags import SERVER
from tests.k3s.program.kube import Kube
from tests.k3s.program.paths import DATA, Layout
from tests.k3s.program.refusal import Refusal
from tests.k3s.program.s3 import Bucket
from tests.k3s.program.server_files import API_PORT, LOCAL_API
from tests.k3s.program.settings import node_settings, s3_settings

COMMANDS = {"save": "save", "ls": "ls", "list": "ls", "l": "ls", "delete": "delete"}
OF_S3 = (
    "endpoint",
    "endpoint-ca",
    "bucket",
    "access-key",
    "secret-key",
    "region",
    "folder",
    "config-secret",
    "insecure",
    "skip-ssl-verify",
)
"""Flags of S3 without their prefix; the last two are switches."""
SWITCHES = {f"{prefix}{name}" for prefix in ("--s3", "--etcd-s3") for name in ("", "-insecure", "-skip-ssl-verify")}


def run(arguments: Sequence[str]) -> None:
    """Save, list or delete snapshots; Refusal when it cannot be done."""
    configured = read(SERVER, Path(DEFAULT_FILE))
    parser = argparse.ArgumentParser(prog="k3s etcd-snapshot", allow_abbrev=False)
    # k3s takes its flags before the subcommand and after it.
    for flag in ("--data-dir", "--etcd-snapshot-dir", "--dir"):
        parser.add_argument(flag)
    parser.add_argument("--name", default="on-demand")
    parser.add_argument("--etcd-s3", "--s3", dest="s3", default="")
    for name in OF_S3:
        parser.add_argument(f"--etcd-s3-{name}", f"--s3-{name}", dest=f"s3-{name}")
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("names", nargs="*")
    spelled = [f"{each}=true" if each in SWITCHES else each for each in arguments]
    options = parser.parse_intermixed_args(spelled)
    layout = Layout(Path(options.data_dir or configured.get("data-dir", DATA)))
    given = options.etcd_snapshot_dir or options.dir or configured.get("etcd-snapshot-dir")
    folder = Path(given) if given else layout.snapshots
    if not (layout.etcd / "member").is_dir():
        raise Refusal("etcd-snapshot: this server has no embedded etcd, it was not started with cluster-init")
    bucket = _bucket(layout, vars(options), configured)
    command = COMMANDS[options.command]
    if command == "save":
        file = save(layout, folder, f"{options.name}-{node_settings(configured).name}")
        if bucket is not None:
            print(f"Snapshot {file.name} saved to {bucket.put(file)}")
    elif command == "ls":
        print("\n".join(listed(folder, bucket)))
    else:
        for name in options.names:
            _delete(folder, name)


def save(layout: Layout, folder: Path, base: str) -> Path:
    """Write a snapshot into the folder, whole or not at all, and return its file; its name ends with the time."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = f"{base}-{int(time.time())}"
    draft = folder / f".{name}.part"
    with draft.open("wb") as output:
        for blob in Etcd(layout).snapshot():
            output.write(blob)
    draft.chmod(0o600)
    draft.replace(folder / name)
    print(f"Snapshot {name} saved.")
    return folder / name


def listed(folder: Path, bucket: Bucket | None = None) -> list[str]:
    """Return the lines of a table of the snapshots in a folder and in a bucket."""
    rows = [("Name", "Location", "Size", "Created")]
    for path in sorted(folder.glob("[!.]*")) if folder.is_dir() else []:
        about = path.stat()
        created = dt.datetime.fromtimestamp(int(about.st_mtime), dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        rows.append((path.name, f"file://{path}", str(about.st_size), created))
    if bucket is not None:
        rows += [(name, place, str(size), created) for name, place, size, created in bucket.listed()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [" ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _delete(folder: Path, name: str) -> None:
    path = folder / name
    if not path.is_file():
        raise Refusal(f"etcd-snapshot: there is no snapshot {name} in {folder}")
    path.unlink()
    print(f"Snapshot {name} deleted.")


def _bucket(layout: Layout, options: dict[str, str | None], configured: Values) -> Bucket | None:
    """Return the bucket that flags, files or a Secret name; None: S3 is not asked for."""
    given = {name: options.get(f"s3-{name}") for name in OF_S3}
    settings = {**s3_settings(configured), **{name: value for name, value in given.items() if value}}
    if options["s3"]:
        settings["enabled"] = options["s3"] == "true"
    if not settings["enabled"]:
        return None
    # As with k3s: with any other flag of S3 the Secret counts for nothing.
    if settings.keys() <= {"enabled", "config-secret"} and settings.get("config-secret"):
        tls = layout.tls
        api = Kube(f"https://{LOCAL_API}:{API_PORT}", tls / "server-ca.crt", tls / "client-supervisor")
        settings = s3.from_secret(api, str(settings["config-secret"]))
    return Bucket.of(settings)
