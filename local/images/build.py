"""Building the images that the cache does not hold yet."""

import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Console

from local import pool
from local.cache import Slot, images_root
from local.cache.content import content, file_digest
from local.failure import LocalError
from local.images import archive, postgres_programs
from local.images.archive import ImageArchive
from local.images.buildah import Buildah
from local.images.log import failure
from local.images.recipe import RECIPES, ROOTS, Recipe
from local.images.roots import ensure_root, root_slot
from local.machines import packages
from local.toolchain import ToolchainError, binary
from local.toolchain.go import find_go

FORMAT = "1"
"""Raise it when the builder itself changes what an image holds: every image is then built anew."""


def ensure(console: Console, names: Iterable[str] | None = None) -> dict[str, ImageArchive]:
    """Build what is missing of the named images (by default all) and return them by name.

    A first build of all takes some minutes on two cores, a later call some milliseconds. An image
    that holds a program of tools/ needs that program to be built.
    LocalError: a program is missing or a build failed; the message says which and where its log is.
    """
    wanted = None if names is None else frozenset(names)
    unknown = (wanted or frozenset()) - {recipe.name for recipe in RECIPES}
    if unknown:
        known = ", ".join(recipe.name for recipe in RECIPES)
        raise LocalError(f"There is no image named {', '.join(sorted(unknown))}; there are {known}.")
    # All keys first: a missing program of tools/ is told before minutes of building.
    images = [(recipe, image_slot(recipe)) for recipe in RECIPES if wanted is None or recipe.name in wanted]
    if any(not slot.complete for _, slot in images):
        packages.ensure(console)
    built = pool.run(lambda image: _ensure_one(*image, console), images)
    return {image.name: image for image in built}


def image_slot(recipe: Recipe) -> Slot:
    """Where the image of exactly this content belongs.

    LocalError: a program of tools/ that the image holds is not built.
    """
    return Slot.of(images_root() / recipe.name, _facts(recipe))


def _facts(recipe: Recipe) -> Iterator[str]:
    yield from (FORMAT, repr(recipe))
    for folder in recipe.sources:
        yield from content(folder)
    if recipe.root is not None:
        yield root_slot(ROOTS[recipe.root]).directory.name
    if recipe.tool is not None:
        yield file_digest(_tool(recipe.tool))
    if recipe.postgres:
        yield postgres_programs.WHEEL
    if recipe.go:
        yield find_go().version


def _ensure_one(recipe: Recipe, slot: Slot, console: Console) -> ImageArchive:
    def build(workspace: Path) -> Path:
        start = time.monotonic()
        try:
            result = _build(recipe, slot.log, workspace)
        except Exception:
            console.print(f"[red]failed[/red] image {recipe.name} after {time.monotonic() - start:.0f} s")
            raise
        console.print(f"[green]built[/green] image {recipe.name} in {time.monotonic() - start:.0f} s")
        return result

    return archive.published(recipe.name, slot.ensure(build))


def _build(recipe: Recipe, log: Path, workspace: Path) -> Path:
    root = None if recipe.root is None else ensure_root(ROOTS[recipe.root])
    context = workspace / "context"
    _fill(recipe, context, log)
    image, result = workspace / "image", workspace / "result"
    Buildah(workspace / "buildah", log).build(
        f"image {recipe.name}",
        context,
        image,
        labels={"org.opencontainers.image.title": f"rakazo-stand-in {recipe.name}"},
        root=root,
    )
    result.mkdir()
    archive.write(recipe.name, image, result)
    return result


def _fill(recipe: Recipe, context: Path, log: Path) -> None:
    for folder in reversed(recipe.sources):
        shutil.copytree(folder, context, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    if recipe.tool is not None:
        shutil.copy(_tool(recipe.tool), context / recipe.tool)
    if recipe.postgres:
        postgres_programs.ensure_programs(context / "postgresql", log)
    if recipe.go:
        _compile(recipe, context, log)


def _compile(recipe: Recipe, context: Path, log: Path) -> None:
    arguments = ["build", "-trimpath", "-ldflags", "-s -w", "-o", recipe.name, "."]
    with log.open("a", encoding="utf-8") as output:
        status = find_go().run(arguments, context, output, cgo=False)
    if status != 0:
        raise failure(f"image {recipe.name}", f"go build ended with exit status {status}", log)


def _tool(name: str) -> Path:
    try:
        return binary(name)
    except ToolchainError as error:
        raise LocalError(str(error)) from error
