"""`node` in the image: five commands and nothing else; pnpm fails as it does without network."""

import subprocess
from pathlib import Path

import pytest

from local.images.app.standin import process
from local.images.app.standin.launch import COMMANDS, service_of
from local.images.app.standin.refusals import RefusalError

IMAGE = Path(__file__).parents[3] / "local/images/app"
START = ("--import", "tsx", "src/index.ts")


def test_the_five_commands_start_the_five_services() -> None:
    started = {service_of(folder, words) for folder, words in COMMANDS}
    assert started == {"api", "worker", "web", "migrate", "supervisor"}


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("/app", START),
        ("/app/apps/web", START),
        ("/app/apps/api", ("--version",)),
        ("/app/apps/api", (*START, "x")),
        ("/app/packages/db", ("node_modules/prisma/build/index.js", "migrate", "reset")),
    ],
)
def test_any_other_command_or_folder_starts_nothing(folder: str, words: tuple[str, ...]) -> None:
    assert service_of(folder, words) is None


def test_an_unknown_command_exits_1_and_says_that_this_is_a_stand_in() -> None:
    launched = (
        "import sys; sys.argv = ['node', '-v']; from local.images.app.standin.launch import main; sys.exit(main())"
    )
    python = subprocess.run(
        ["python3", "-B", "-c", launched.replace("local.images.app.", "")],
        cwd=IMAGE, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (python.returncode, python.stdout) == (1, "")
    assert "Rakazo stand-in, not Node.js" in python.stderr
    assert "cd /app/apps/worker && node --import tsx src/index.ts" in python.stderr


def test_pnpm_exits_1() -> None:
    done = subprocess.run([IMAGE / "pnpm", "db:migrate"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "start services with node directly" in done.stderr


def test_the_folders_that_must_be_writable_are_proven_at_the_start(tmp_path: Path) -> None:
    process.require_compile_folder(tmp_path)
    process.require_preview_folder(tmp_path)
    missing = tmp_path / "missing"
    with pytest.raises(RefusalError, match="mount an emptyDir at"):
        process.require_compile_folder(missing)
    with pytest.raises(RefusalError, match="mount an emptyDir there"):
        process.require_preview_folder(missing)


def test_the_image_holds_the_wrappers_where_the_commands_look_for_them() -> None:
    lines = (IMAGE / "Containerfile").read_text()
    for folder, _ in COMMANDS:
        assert folder in lines, f"{folder} is a working directory of the contract"
    assert "COPY standin /opt/rakazo-stand-in/standin" in lines
    assert "/opt/rakazo-stand-in" in (IMAGE / "node").read_text()
    assert "USER node" in lines, "not numeric, as published: a pod with runAsNonRoot has to name runAsUser"
