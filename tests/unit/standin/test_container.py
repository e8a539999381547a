"""What the supervisor makes of a bot's name and its environment; whether Docker takes it the engine tier shows."""

import os
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from local.images.app.standin import container
from local.images.app.standin.container_home import HomeError, home_mount, require_writable
from local.images.app.standin.container_limits import Limits
from local.images.app.standin.docker_exec import split
from local.images.app.standin.supervisor_settings import read_supervisor

from .environments import SUPERVISOR

DATA = PurePosixPath("/data")
LIMITS = Limits(memory=2 << 30, nano_cpus=2 * 10**9, processes=2048)


def test_a_computer_has_exactly_the_documented_fields() -> None:
    mount = {"Type": "bind", "Source": "/srv/data/homes/b1", "Target": "/home/rakazo"}
    made = container.options(bot="b1", space="s", image="image", network="net", limits=LIMITS, mounts=[mount])
    assert "RAKAZO" not in "".join(made.pop("Env")), "no token of ours is in a computer"
    assert made == {
        "Image": "image",
        "User": "1000:1000",
        "Tty": True,
        "Labels": {"rakazo.managed": "true", "rakazo.botId": "b1", "rakazo.spaceId": "s"},
        "WorkingDir": "/home/rakazo",
        "HostConfig": {
            "CapDrop": ["ALL"],
            "SecurityOpt": ["no-new-privileges:true"],
            "NetworkMode": "net",
            "AutoRemove": False,
            "Memory": 2 << 30,
            "MemorySwap": 2 << 30,
            "NanoCpus": 2 * 10**9,
            "PidsLimit": 2048,
            "Mounts": [mount],
            "ShmSize": 256 << 20,
            "ReadonlyPaths": [
                "/proc/bus",
                "/proc/fs",
                "/proc/irq",
                "/proc/sys",
                "/proc/sysrq-trigger",
                "/usr/share/novnc",
                "/etc/rakazo",
            ],
        },
    }


@pytest.mark.parametrize(
    ("changed", "limits"),
    [
        ({}, LIMITS),
        ({"RAKAZO_COMPUTER_MEMORY": "1536m"}, Limits(1536 << 20, 2 * 10**9, 2048)),
        ({"RAKAZO_COMPUTER_MEMORY": "1073741824"}, Limits(1 << 30, 2 * 10**9, 2048)),
        ({"RAKAZO_COMPUTER_CPUS": "1.5"}, Limits(2 << 30, 1_500_000_000, 2048)),
        ({"RAKAZO_COMPUTER_PIDS_LIMIT": "64"}, Limits(2 << 30, 2 * 10**9, 64)),
        (dict.fromkeys(("RAKAZO_COMPUTER_MEMORY", "RAKAZO_COMPUTER_CPUS"), "none"), Limits(0, 0, 2048)),
        ({"RAKAZO_COMPUTER_PIDS_LIMIT": "unlimited"}, Limits(2 << 30, 2 * 10**9, 0)),
    ],
)
def test_limits_are_read_as_docker_takes_them(changed: dict[str, str], limits: Limits) -> None:
    assert read_supervisor(SUPERVISOR | changed).limits == limits


def test_host_folders_are_read_only_unless_they_are_asked_to_be_writable() -> None:
    settings = read_supervisor(SUPERVISOR | {"SANDBOX_COMPUTER_MOUNTS": "/srv/books:/books, /srv/work:/work:rw"})
    assert [folder.mount() for folder in settings.folders] == [
        {"Type": "bind", "Source": "/srv/books", "Target": "/books", "ReadOnly": True},
        {"Type": "bind", "Source": "/srv/work", "Target": "/work", "ReadOnly": False},
    ]


@pytest.mark.parametrize("bot", ["b1", "a/b", "bot with spaces", "x" * 80])
def test_bridges_are_names_of_links_that_the_firewall_knows(bot: str) -> None:
    name = container.bridge_name(bot)
    assert name.startswith("rakazo-c")
    assert len(name) == 15
    assert len(container.container_name(bot)) <= len("rakazo-bot-") + 40


def test_bots_whose_names_look_alike_have_networks_of_their_own() -> None:
    assert container.container_name("a/b") == container.container_name("ab")
    assert container.network_name("a/b") != container.network_name("ab")
    assert container.bridge_name("a/b") != container.bridge_name("ab")


@pytest.mark.parametrize(
    ("mounted", "mount"),
    [
        (
            {"Type": "bind", "Source": "/srv/rakazo/data"},
            {"Type": "bind", "Source": "/srv/rakazo/data/homes/b1", "Target": "/home/rakazo"},
        ),
        (
            {"Type": "volume", "Name": "rakazo_data", "Source": "/var/lib/docker/volumes/rakazo_data/_data"},
            {
                "Type": "volume",
                "Source": "rakazo_data",
                "Target": "/home/rakazo",
                "VolumeOptions": {"Subpath": "homes/b1", "NoCopy": True},
            },
        ),
    ],
)
def test_a_home_is_mounted_from_where_the_machine_has_it(mounted: dict[str, Any], mount: dict[str, Any]) -> None:
    supervisor = {"Mounts": [{"Destination": "/tmp", "Type": "tmpfs"}, {"Destination": "/data", **mounted}]}
    assert home_mount(DATA, "b1", "/data/homes/b1", supervisor) == mount


@pytest.mark.parametrize(
    ("bot", "home"), [("b1", "/data/homes/b2"), ("b1", "/etc"), ("..", "/data/homes/.."), ("a/b", "/data/homes/a/b")]
)
def test_another_folder_than_the_bots_home_is_refused(bot: str, home: str) -> None:
    with pytest.raises(HomeError, match="must be the bot's home directory"):
        home_mount(DATA, bot, home, {"Mounts": [{"Destination": "/data", "Type": "bind", "Source": "/srv"}]})


def test_a_supervisor_without_the_data_folder_mounts_no_home() -> None:
    with pytest.raises(HomeError, match="nothing mounted at /data"):
        home_mount(DATA, "b1", "/data/homes/b1", {"Mounts": []})


def test_a_home_that_the_computer_cannot_write_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with pytest.raises(HomeError, match="is no folder"):
        require_writable(home)
    (home / "below").mkdir(parents=True)
    (home / "link").symlink_to("/etc/passwd")
    (home / "below" / "file").write_text("")
    require_writable(home, os.getuid())
    with pytest.raises(HomeError, match="is not writable by uid 4711"):
        require_writable(home, 4711)
    (home / "below").chmod(0o500)
    with pytest.raises(HomeError, match=r"below is not writable"):
        require_writable(home, os.getuid())


def test_a_link_in_the_place_of_a_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").symlink_to("/etc")
    with pytest.raises(HomeError, match="is no folder"):
        require_writable(tmp_path / "home", os.getuid())


def test_streams_of_a_command_are_told_apart() -> None:
    streams = split(b"\x01\0\0\0\0\0\0\x03out\x02\0\0\0\0\0\0\x03err\x01\0\0\0\0\0\0\x01!")
    assert (streams.stdout, streams.stderr) == (b"out!", b"err")
