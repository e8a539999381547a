"""buildah with its whole state in one folder of ours, needing no registry and no configuration."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from local.images.log import missing, run

LABELS = {
    "io.rakazo-infra.stand-in": "true",
    "org.opencontainers.image.description": "A stand-in built by rakazo-infra; not a published Rakazo image",
}
"""On every image, so that a stand-in in a cluster tells what it is."""

EPOCH = 1_700_000_000
"""Creation time and date of added files, in seconds since 1970: an unchanged folder keeps its digest."""


RESULT = "localhost/result:latest"


@dataclass(frozen=True)
class Buildah:
    """One use of buildah; its folder is removed by whoever made it."""

    state: Path
    log: Path

    def build(
        self,
        purpose: str,
        context: Path,
        directory: Path,
        *,
        labels: Mapping[str, str] | None = None,
        root: Path | None = None,
    ) -> None:
        """Build the context's Containerfile and write the image into a directory.

        It then holds the manifest and, named by their digests, the configuration and the layers,
        uncompressed: an import is bound by the processor, not by the disk.
        The root, such a directory too, is what the Containerfile names `${ROOT}`.
        LocalError: buildah is missing or failed; the message holds the end of its log.
        """
        if shutil.which("buildah") is None:
            raise missing(purpose, "buildah")
        self.state.mkdir(parents=True)
        policy = self.state / "policy.json"
        # Nothing is pulled, so there is nothing whose signature could be checked.
        policy.write_text(json.dumps({"default": [{"type": "insecureAcceptAnything"}]}), encoding="ascii")
        (self.state / "tmp").mkdir()
        environment = os.environ | {"TMPDIR": str(self.state / "tmp"), "BUILDAH_ISOLATION": "chroot"}
        buildah = self._with_driver(environment)
        build = [*buildah, "build", "--isolation", "chroot", "--pull-never", "--no-cache", "--format", "oci"]
        build += ["--signature-policy", str(policy), "--timestamp", str(EPOCH), "--tag", RESULT]
        for key, value in ({} if labels is None else {**LABELS, **labels}).items():
            build += ["--label", f"{key}={value}"]
        pull = [*buildah, "pull", "--quiet", "--signature-policy", str(policy)]
        push = [*buildah, "push", "--quiet", "--disable-compression", "--signature-policy", str(policy)]
        if root is not None:
            # A Containerfile can name an image of the store, not a directory. buildah would make a name
            # out of the path that it is given, and most whole paths are no valid name: a short one is
            # given, and the image is then called by its identifier, its configuration's digest.
            pull.append(f"dir:{root.name}")
            run(purpose, pull, self.log, environment=environment, folder=root.parent)
            manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
            build += ["--build-arg", f"ROOT={manifest['config']['digest'].removeprefix('sha256:')}"]
        run(purpose, [*build, str(context)], self.log, environment=environment)
        run(purpose, [*push, RESULT, f"dir:{directory}"], self.log, environment=environment)

    def _with_driver(self, environment: Mapping[str, str]) -> list[str]:
        """Choose overlay mounts where the disk below takes them; copies of whole file systems are slow.

        Building on a root of 130 MB took 1 s with overlay and 12 s with vfs. Inside most containers only
        vfs works. The mount namespace ends with the program, so a killed build leaves nothing mounted.
        """
        place = ["--root", str(self.state / "root"), "--runroot", str(self.state / "run")]
        buildah = ["unshare", "--mount", "buildah", *place, "--storage-driver"]
        with self.log.open("a", encoding="utf-8") as output:
            probe = [*buildah, "overlay", "info"]
            tried = subprocess.run(probe, env=environment, stdout=subprocess.DEVNULL, stderr=output, check=False)
        if tried.returncode == 0:
            return [*buildah, "overlay"]
        shutil.rmtree(self.state / "root", ignore_errors=True)
        return [*buildah, "vfs"]
