"""What each image is made of."""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Recipe:
    """One image: the folder with its Containerfile and what is put beside it before it is built."""

    name: str
    folders: tuple[str, ...]
    """Laid over each other into the build context; the first one holds the Containerfile."""
    root: str | None = None
    """The Debian root that the Containerfile builds on, as `${ROOT}`."""
    tool: str | None = None
    """A program of tools/ that the Containerfile copies by its name."""
    go: bool = False
    """Whether the folder is a Go program that is compiled to a file of the image's name."""
    postgres: bool = False
    """Whether Postgres' programs are put into the context's `postgresql` folder."""

    @property
    def sources(self) -> tuple[Path, ...]:
        """The folders in this repository."""
        return tuple(FOLDER / folder for folder in self.folders)


RECIPES = (
    # The desktop takes longest: it starts first, the others are built beside it.
    Recipe("computer", ("computer", "computer-common"), root="desktop"),
    Recipe("pause", ("pause",), go=True),
    Recipe("toolbox", ("toolbox",), root="busybox"),
    Recipe("coredns", ("coredns",), tool="coredns"),
    Recipe("local-path-provisioner", ("local-path-provisioner",), tool="local-path-provisioner"),
    Recipe("computer-lite", ("computer-lite", "computer-common"), root="base"),
    Recipe("app", ("app",), root="base"),
    Recipe("postgres", ("postgres",), root="base", postgres=True),
)


@dataclass(frozen=True)
class Root:
    """A Debian root, made of packages only; images on the same root share its layer."""

    name: str
    variant: str
    """mmdebstrap's: `minbase` is Debian's essential packages, `extract` nothing but those that are listed."""
    lists: tuple[str, ...]
    """Files with one package a line, `#` starts a comment."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The listed packages, each once, sorted; FileNotFoundError names a list that is not there."""
        found: set[str] = set()
        for name in self.lists:
            for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
                found.update(line.partition("#")[0].split())
        return tuple(sorted(found))


ROOTS = {
    root.name: root
    for root in (
        Root("busybox", "extract", ("toolbox/packages.txt",)),
        # One root for three images: its layer is imported once, which outweighs the packages that one
        # of them does not need.
        Root("base", "minbase", ("roots/base.txt", "app/packages.txt")),
        Root("desktop", "minbase", ("roots/base.txt", "computer/packages.txt")),
    )
}
