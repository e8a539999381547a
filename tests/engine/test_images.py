"""The Postgres image keeps the published image's first-start contract; the light computer guards itself.

Runs the images' own files in namespaces, without a cluster: proves the contract, not that containerd
imports the archive (the engine's fixtures do that).
"""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from local.images import ensure
from tests.engine.image_container import ADDRESS, Confinement, Container, unpack

POSTGRES = 999
DATA = "/var/lib/postgresql/data"
READY = ("pg_isready", f"--host={ADDRESS}", "--quiet")

Start = Callable[..., Container]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[Path, dict[str, str]]]]:
    """Roots and environments of the images under test."""
    folder = tmp_path_factory.mktemp("roots")
    roots = {}
    for name, image in ensure(Console(stderr=True), ["postgres", "computer-lite"]).items():
        (folder / name).mkdir()
        configuration = unpack(image, folder / name)
        roots[name] = (folder / name, dict(variable.split("=", 1) for variable in configuration["Env"]))
    yield roots
    shutil.rmtree(folder)


@pytest.fixture
def volume(tmp_path: Path) -> Path:
    """A folder that belongs to Postgres, as a fresh claim with fsGroup or an own folder does."""
    folder = tmp_path / "volume"
    folder.mkdir()
    shutil.chown(folder, POSTGRES, POSTGRES)
    return folder


@pytest.fixture
def start(unpacked: dict[str, tuple[Path, dict[str, str]]], tmp_path: Path, volume: Path) -> Iterator[Start]:
    """Start Postgres on the volume with more variables; everything is ended after the test."""
    started: list[Container] = []
    sockets = tmp_path / "sockets"
    sockets.mkdir(mode=0o777)
    sockets.chmod(0o777)

    def begin(**variables: str) -> Container:
        root, environment = unpacked["postgres"]
        log = tmp_path / f"log-{len(started)}"
        volumes = {DATA: volume, "/run/postgresql": sockets}
        container = Container(root, POSTGRES, environment | variables, volumes, log)
        container.start(["docker-entrypoint.sh", "postgres"])
        started.append(container)
        return container

    yield begin
    for container in started:
        container.end()


def ask(container: Container, password: str, statement: str, user: str = "postgres") -> tuple[int, str]:
    """Return psql's status and all that it printed.

    It comes from where the password counts: as published, 127.0.0.1 and the socket are trusted.
    """
    psql = ("psql", "--no-psqlrc", "--no-password", "--tuples-only", "--no-align", f"--host={ADDRESS}")
    done = container.run(
        [*psql, f"--username={user}", "--dbname=postgres", f"--command={statement}"], PGPASSWORD=password
    )
    return done.returncode, (done.stdout + done.stderr).strip()


def test_first_start_makes_user_database_and_password(start: Start) -> None:
    postgres = start(POSTGRES_PASSWORD="first", POSTGRES_USER="owner", POSTGRES_DB="rakazo", PGDATA=f"{DATA}/pgdata")
    postgres.until(READY)
    assert ask(postgres, "first", "select datname from pg_database where datname = 'rakazo'", "owner") == (0, "rakazo")
    status, printed = ask(postgres, "wrong", "select 1", "owner")
    assert status == 2
    assert "password authentication failed" in printed


def test_second_start_ignores_a_changed_password(start: Start) -> None:
    """B023: a new password in the Secret does not reach a volume that holds a database."""
    first = start(POSTGRES_PASSWORD="first", PGDATA=f"{DATA}/pgdata")
    first.until(READY)
    assert first.stop(signal.SIGINT) == 0, first.text
    second = start(POSTGRES_PASSWORD="second", PGDATA=f"{DATA}/pgdata")
    second.until(READY)
    assert "password authentication failed" in ask(second, "second", "select 1")[1]
    assert ask(second, "first", "select 1") == (0, "1")


def test_the_root_of_an_ext4_volume_is_refused(start: Start, volume: Path) -> None:
    """B106: initdb does not use a directory that holds lost+found, so PGDATA has to lie below the mount."""
    (volume / "lost+found").mkdir()
    refused = start(POSTGRES_PASSWORD="first", PGDATA=DATA)
    assert refused.wait() == 1
    assert "lost+found" in refused.text
    accepted = start(POSTGRES_PASSWORD="first", PGDATA=f"{DATA}/pgdata")
    accepted.until(READY)


def test_an_empty_volume_needs_a_password_and_stays_empty_without(start: Start, volume: Path) -> None:
    refused = start(PGDATA=f"{DATA}/pgdata")
    assert refused.wait() == 1
    assert "POSTGRES_PASSWORD is not set" in refused.text
    assert list((volume / "pgdata").iterdir()) == []


def test_a_password_can_come_from_a_file_but_not_from_two_places(start: Start, volume: Path) -> None:
    (volume / "password").write_text("from-file\n")
    path = f"{DATA}/password"
    refused = start(POSTGRES_PASSWORD="first", POSTGRES_PASSWORD_FILE=path, PGDATA=f"{DATA}/pgdata")
    assert refused.wait() == 1
    assert "both set" in refused.text
    postgres = start(POSTGRES_PASSWORD_FILE=path, PGDATA=f"{DATA}/pgdata")
    postgres.until(READY)
    assert ask(postgres, "from-file", "select 1") == (0, "1")


def test_a_dump_can_be_restored_with_the_images_own_programs(start: Start) -> None:
    postgres = start(POSTGRES_PASSWORD="first", PGDATA=f"{DATA}/pgdata")
    postgres.until(READY)
    assert ask(postgres, "first", "create table kept as select 42 as answer")[0] == 0
    dumped = postgres.run(["pg_dump", "--username=postgres", "--format=custom", f"--file={DATA}/dump"])
    assert dumped.returncode == 0, dumped.stderr
    assert ask(postgres, "first", "drop table kept")[0] == 0
    restored = postgres.run(["pg_restore", "--username=postgres", "--dbname=postgres", f"{DATA}/dump"])
    assert restored.returncode == 0, restored.stderr
    assert ask(postgres, "first", "select answer from kept") == (0, "42")


@pytest.fixture
def computer(unpacked: dict[str, tuple[Path, dict[str, str]]], tmp_path: Path) -> Iterator[Container]:
    """A light computer that is not started yet."""
    root, environment = unpacked["computer-lite"]
    home = tmp_path / "home"
    home.mkdir()
    shutil.chown(home, 1000, 1000)
    container = Container(root, 1000, environment, {"/home/rakazo": home}, tmp_path / "log")
    yield container
    container.end()


COMPUTER = ("/usr/local/bin/rakazo-computer",)
PAGE = ("curl", "--fail", "--silent", f"http://{ADDRESS}:6080/")


def test_a_computer_serves_6080_to_everyone_and_6100_to_a_token(computer: Container) -> None:
    computer.start(COMPUTER)
    computer.until(PAGE)
    assert "not a published Rakazo image" in computer.run(PAGE).stdout
    assert "rakazo computer (stand-in) ready" in computer.text
    status = ("curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}")
    token = computer.run(["cut", "-d:", "-f1", "/tmp/rakazo/screen-tokens"]).stdout.strip()
    assert computer.run([*status, f"http://{ADDRESS}:6100/"]).stdout == "403"
    assert computer.run([*status, f"http://{ADDRESS}:6100/?token={token[:-1]}"]).stdout == "403"
    assert computer.run([*status, f"http://{ADDRESS}:6100/?token={token}"]).stdout == "200"


def test_a_computer_ends_with_its_display(computer: Container) -> None:
    computer.start(COMPUTER)
    computer.until(PAGE)
    display = computer.run(["cat", "/tmp/rakazo/display.pid"]).stdout.strip()
    # How this ends says nothing: the container may take the shell with it before it has returned.
    computer.run(["bash", "-c", f"kill {display}"])
    assert computer.wait() == 1
    assert "has ended" in computer.text


def test_a_computer_refuses_a_service_account_token(computer: Container, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "token").write_text("invented")
    computer.volumes = {**computer.volumes, "/run/secrets/kubernetes.io/serviceaccount": secret}
    computer.start(COMPUTER)
    assert computer.wait() == 1
    assert "automountServiceAccountToken: false" in computer.text


@pytest.mark.parametrize(
    ("confinement", "user", "reason"),
    [
        (Confinement(no_new_privileges=False), 1000, "allowPrivilegeEscalation: false"),
        (Confinement(drop_capabilities=False), 1000, "capabilities.drop: [ALL]"),
        (Confinement(), 0, "it runs as root"),
    ],
)
def test_a_computer_refuses_to_start_with_more_rights(
    computer: Container, confinement: Confinement, user: int, reason: str
) -> None:
    computer.confinement = confinement
    computer.user = user
    computer.start(COMPUTER)
    assert computer.wait() == 1
    assert reason in computer.text
