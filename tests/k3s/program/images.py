"""The images that lie beside an air-gapped k3s and are imported at its start."""

import json
import tarfile
from dataclasses import dataclass
from pathlib import Path

from tests.k3s.program import journal
from tests.k3s.program.children import run
from tests.k3s.program.paths import CONTAINERD_SOCKET, CTR
from tests.k3s.program.refusal import Refusal

NAMESPACE = "k8s.io"
NAME_ANNOTATIONS = ("io.containerd.image.name", "org.opencontainers.image.ref.name")


@dataclass(frozen=True)
class Archive:
    """One archive and the references under which containerd will know what it holds."""

    file: Path
    references: tuple[str, ...]


def found(folder: Path) -> list[Archive]:
    """Return the archives of a folder, the smallest first: what the cluster itself needs is small."""
    files = [path for path in folder.glob("*.tar") if path.is_file()] if folder.is_dir() else []
    return [Archive(file, _references(file)) for file in sorted(files, key=lambda path: path.stat().st_size)]


def named(archives: list[Archive], name: str) -> str:
    """Return the reference whose repository ends in `name`; Refusal when no archive holds such an image."""
    for archive in archives:
        for reference in archive.references:
            if reference.partition("@")[0].rpartition("/")[2].partition(":")[0] == name:
                return reference
    raise Refusal(f"no archive in the images' folder holds an image {name}, and no registry is there to pull it from")


def _references(file: Path) -> tuple[str, ...]:
    """Return the names in an archive's index; none for an archive of Docker's, which is imported at every start."""
    try:
        with tarfile.open(file) as archive:
            listed = archive.extractfile("index.json")
            content = json.load(listed) if listed is not None else {"manifests": []}
    except KeyError:
        return ()
    except (OSError, ValueError, tarfile.TarError) as error:
        raise Refusal(f"{file}: is no archive of images: {error}") from error
    annotations = [manifest.get("annotations", {}) for manifest in content["manifests"]]
    return tuple(next((each[key] for key in NAME_ANNOTATIONS if key in each), "") for each in annotations)


def _ctr(*arguments: str) -> str:
    return run([CTR, f"--address={CONTAINERD_SOCKET}", f"--namespace={NAMESPACE}", *arguments], seconds=900.0)


def bring(archives: list[Archive]) -> None:
    """Import every archive of which containerd does not know all; Refusal with containerd's reason."""
    known = set(_ctr("images", "list", "--quiet").split())
    for archive in archives:
        if archive.references and known.issuperset(archive.references):
            continue
        _ctr("images", "import", str(archive.file))
        journal.info(f"Imported images from {archive.file}")
