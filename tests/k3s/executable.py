"""Making the one file that stands in for k3s."""

import io
import zipfile
from pathlib import Path

from local.cache import Slot, images_root
from local.cache.content import content, file_digest
from local.checkout import PROJECT
from tests.k3s.program.release import RESOURCE, Release

FORMAT = "1"
"""Raise it when this module puts the file together differently."""

INTERPRETER = b"#!/usr/bin/python3 -I\n"
"""Debian's; isolated, so that nothing of the folder in which it is called is imported."""

PROGRAM = Path(__file__).parent / "program"
BORROWED = (
    "local/cluster/certificates.py",
    "local/cluster/kubeconfig.py",
    "local/cluster/manifests/coredns.yaml",
    "local/cluster/manifests/storage.yaml",
)
"""What the embedded cluster and the program have in common; modules of these need nothing else of ours."""

PACKAGES = ("local", "local/cluster", "local/cluster/manifests", "tests", "tests/k3s")
"""Their own modules need more than a machine of the tests has, so these are empty in the file."""

MAIN = b"import sys\n\nfrom tests.k3s.program.command_line import main\n\nsys.exit(main())\n"
DATE = (2023, 11, 14, 22, 13, 20)
"""Of every part: the same sources give the same checksum."""


def build(version: str) -> Path:
    """Return the file that is k3s of this version, such as v1.36.2+k3s1; it is made once for the same sources.

    Refusal: the version is no name of a release.
    """
    release = Release.parse(version)
    facts = (FORMAT, str(release), *content(PROGRAM), *(file_digest(PROJECT / name) for name in BORROWED))
    slot = Slot.of(images_root() / "k3s", facts)

    def make(workspace: Path) -> Path:
        file = workspace / "k3s"
        file.write_bytes(INTERPRETER + _archive(release))
        file.chmod(0o755)
        return workspace

    return slot.ensure(make) / "k3s"


def _archive(release: Release) -> bytes:
    sources = {f"tests/k3s/program/{path.relative_to(PROGRAM)}": path.read_bytes() for path in _sources()}
    borrowed = {name: (PROJECT / name).read_bytes() for name in BORROWED}
    own = {"__main__.py": MAIN, f"tests/k3s/program/{RESOURCE}": f"{release}\n".encode()}
    empty = {f"{name}/__init__.py": b"" for name in PACKAGES}
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted((sources | borrowed | own | empty).items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return output.getvalue()


def _sources() -> list[Path]:
    return [path for path in PROGRAM.rglob("*") if path.suffix in (".py", ".yaml")]
