"""Image cache keys, references and failures; nothing is built here."""

import hashlib
import json
import sys
import tarfile
from pathlib import Path

import pytest
from rich.console import Console

from local.failure import LocalError
from local.images import archive, build, ensure, roots
from local.images.log import run
from local.images.recipe import FOLDER, RECIPES, ROOTS, Recipe, Root


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's cache out of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_every_image_that_the_environment_runs_has_a_recipe() -> None:
    assert sorted(recipe.name for recipe in RECIPES) == [
        "app",
        "computer",
        "computer-lite",
        "coredns",
        "local-path-provisioner",
        "pause",
        "postgres",
        "toolbox",
    ]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_each_recipe_names_folders_and_a_root_that_exist(recipe: Recipe) -> None:
    assert (recipe.sources[0] / "Containerfile").is_file()
    assert all(source.is_dir() for source in recipe.sources)
    written = (recipe.sources[0] / "Containerfile").read_text()
    assert ("FROM ${ROOT}" in written) == (recipe.root is not None)
    assert ("FROM scratch" in written) == (recipe.root is None)
    assert recipe.root is None or ROOTS[recipe.root].packages


def test_every_folder_with_a_containerfile_is_a_recipe() -> None:
    assert {path.parent.name for path in FOLDER.glob("*/Containerfile")} == {recipe.name for recipe in RECIPES}


def test_another_package_list_is_another_root() -> None:
    one, two = (Root("base", "minbase", lists) for lists in (("roots/base.txt",), ("toolbox/packages.txt",)))
    assert roots.root_slot(one).directory != roots.root_slot(two).directory


def test_a_root_s_packages_have_no_comments_and_no_doubles() -> None:
    packages = ROOTS["base"].packages
    assert {"bash", "python3", "python3-aiohttp"} <= set(packages)
    assert len(packages) == len(set(packages))
    assert not [package for package in packages if "#" in package or " " in package]


def test_an_image_s_key_follows_the_key_of_its_root(monkeypatch: pytest.MonkeyPatch) -> None:
    (lite,) = (recipe for recipe in RECIPES if recipe.name == "computer-lite")
    before = build.image_slot(lite)
    monkeypatch.setitem(ROOTS, "base", Root("base", "minbase", ("toolbox/packages.txt",)))
    assert build.image_slot(lite) != before


def test_a_reference_is_a_repository_of_no_registry_and_a_digest() -> None:
    digest = "sha256:" + 64 * "a"
    assert archive.reference("app", digest) == f"localhost/rakazo-stand-in/app@{digest}"


def test_an_archive_s_digest_is_its_manifest_s_and_containerd_finds_the_reference(tmp_path: Path) -> None:
    image, directory = tmp_path / "image", tmp_path / "archive"
    image.mkdir()
    directory.mkdir()
    manifest = json.dumps({"mediaType": "application/vnd.oci.image.manifest.v1+json"}).encode()
    layer = hashlib.sha256(b"layer").hexdigest()
    (image / "manifest.json").write_bytes(manifest)
    (image / "version").write_text("Directory Transport Version: 1.1\n")
    (image / layer).write_bytes(b"layer")
    archive.write("app", image, directory)
    written = archive.published("app", directory)
    assert written.digest == f"sha256:{hashlib.sha256(manifest).hexdigest()}"
    assert written.reference == f"localhost/rakazo-stand-in/app@{written.digest}"
    with tarfile.open(written.archive) as packed:
        manifest_blob = f"blobs/sha256/{written.digest.removeprefix('sha256:')}"
        assert packed.getnames() == ["oci-layout", "index.json", manifest_blob, f"blobs/sha256/{layer}"]
        index = json.loads(packed.extractfile("index.json").read())  # type: ignore[union-attr]
    assert index["manifests"][0]["annotations"] == {"io.containerd.image.name": written.reference}


def test_a_failed_program_is_one_error_with_the_end_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "image.log"
    program = "import sys; [print('line', i) for i in range(100)]; sys.exit(3)"
    with pytest.raises(LocalError) as failed:
        run("image app", [sys.executable, "-c", program], log)
    message = str(failed.value)
    assert message.startswith("Building image app failed: ")
    assert "ended with exit status 3" in message
    assert str(log) in message
    assert "line 99" in message
    assert "line 80\n" not in message
    assert "line 0\n" in log.read_text()


def test_a_missing_program_is_told_with_what_installs_it(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match=r"no-such-program is not installed; run `apt-get install buildah"):
        run("image app", ["no-such-program"], tmp_path / "log")


def test_an_unknown_image_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(LocalError, match=r"no image named browser; there are computer, pause"):
        ensure(Console(), ["browser"])
