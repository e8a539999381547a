"""What a new node is told, and what its script does with it. That nodeadm reads it so, only a node of EKS can say."""

import email
import hashlib
import io
import os
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from components.targets.eks.user_data import LIMIT, Joining, render_gvisor, render_joining
from stacks.target.gvisor import GvisorSettings
from tests.unit import golden

GVISOR = GvisorSettings(release="20261116.0", sha512="ab" * 64)
JOINING = Joining(
    cluster="rakazo-team",
    endpoint="https://0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com",
    authority="Q0E=",
    services="172.20.0.0/16",
    labels={"rakazo-infra/pool": "computers"},
    taints=("rakazo-infra/pool=computers:NoSchedule",),
)


def parts(text: str) -> dict[str, str]:
    """Return content type to text, as whoever reads MIME finds them."""
    message = email.message_from_string(text)
    assert message.is_multipart()
    return {part.get_content_type(): str(part.get_payload()) for part in message.walk() if not part.is_multipart()}


@pytest.mark.parametrize(("name", "text"), [("gvisor", render_gvisor(GVISOR)), ("joining", render_joining(JOINING))])
def test_it_is_the_reviewed_text(name: str, text: str) -> None:
    golden.check(Path(__file__).with_name("golden") / f"{name}.txt", text)


def test_containerd_is_told_before_it_starts_and_in_the_tables_that_it_reads() -> None:
    """B045: a table of containerd 1 would be ignored, and every computer would find no runtime."""
    config = yaml.safe_load(parts(render_gvisor(GVISOR))["application/node.eks.aws"])
    assert config["spec"].keys() == {"containerd"}, "how it joins is EKS' to say"
    text = config["spec"]["containerd"]["config"]
    assert '[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runsc]' in text
    assert "grpc.v1.cri" not in text
    assert "systemctl restart" not in render_gvisor(GVISOR)


def test_a_node_of_our_own_says_everything_about_itself() -> None:
    config = yaml.safe_load(parts(render_joining(JOINING))["application/node.eks.aws"])
    assert config["spec"]["cluster"].keys() == {"name", "apiServerEndpoint", "certificateAuthority", "cidr"}


def test_it_is_far_below_the_limit_and_what_is_longer_is_refused_with_its_size() -> None:
    """B026: EC2's own answer comes when the cluster is there."""
    assert len(render_gvisor(GVISOR)) < LIMIT // 3
    longer = GVISOR.model_copy(update={"mirror": f"https://mirror.example.com/{'m' * 16_000}"})
    with pytest.raises(ValueError, match=r"has \d+ bytes, and EC2 takes 16384"):
        render_gvisor(longer)


@dataclass(frozen=True, kw_only=True)
class Node:
    """A folder that stands for a new node, and a mirror that it reaches."""

    root: Path
    mirror: str
    served: Path

    def serve(self, *names: str) -> str:
        """Offer a release with these parts and return its checksum."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:bz2") as archive:
            for name in names:
                text = b"#!/bin/sh\necho runsc version release-20261116.0\n"
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(text), 0o755
                archive.addfile(entry, io.BytesIO(text))
        folder = self.served / "20261116.0" / "x86_64"
        folder.mkdir(parents=True)
        (folder / "gvisor.tar.bz2").write_bytes(buffer.getvalue())
        return hashlib.sha512(buffer.getvalue()).hexdigest()

    def start(self, sha512: str) -> subprocess.CompletedProcess[str]:
        """Run gVisor's script as cloud-init does."""
        return self.run(render_gvisor(GvisorSettings(release="20261116.0", sha512=sha512, mirror=self.mirror)))

    def run(self, user_data: str) -> subprocess.CompletedProcess[str]:
        """Run the script of a node's document."""
        programs = self.root / "bin"
        programs.mkdir(parents=True)
        self.unit.parent.mkdir(parents=True)
        self.unit.write_text("[Service]\n")  # EKS' image has it here, where `systemctl mask` changes nothing
        for name in ("systemctl", "modprobe"):
            (programs / name).write_text(f'#!/bin/sh\necho "$@" >> {self.root}/{name}.log\n')
            (programs / name).chmod(0o755)
        environment = {
            "ROOT": str(self.root),
            "CONSOLE": str(self.root / "console"),
            "PATH": f"{programs}:{os.environ['PATH']}",
        }
        text = parts(user_data)["text/x-shellscript"].replace("--retry 20", "--retry 0")  # waiting mends nothing here
        return subprocess.run(["bash"], input=text, env=environment, capture_output=True, text=True, check=False)

    @property
    def unit(self) -> Path:
        """What kubelet starts from."""
        return self.root / "etc/systemd/system/kubelet.service"

    @property
    def joins(self) -> bool:
        """Whether its kubelet can start: systemd reads nothing where a unit leads to /dev/null."""
        return not self.unit.is_symlink()

    def text(self, name: str) -> str:
        """Return the text of a file, or nothing."""
        path = self.root / name
        return path.read_text() if path.exists() else ""


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    class Quiet(SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(tmp_path / "mirror"))

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    (tmp_path / "mirror").mkdir()
    (tmp_path / "root").mkdir()
    yield Node(
        root=tmp_path / "root", mirror=f"http://127.0.0.1:{server.server_address[1]}", served=tmp_path / "mirror"
    )
    server.shutdown()
    thread.join()
    server.server_close()


WHOLE = ("runsc", "containerd-shim-runsc-v1", "gvisor-bin/sidecar")


def test_the_script_puts_the_release_where_containerd_finds_it(node: Node) -> None:
    outcome = node.start(node.serve(*WHOLE))
    assert outcome.returncode == 0, outcome.stderr
    for program in WHOLE[:2]:
        link = node.root / "usr/local/bin" / program
        assert link.resolve() == node.root / "usr/local/lib/gvisor/20261116.0" / program
        assert os.access(link, os.X_OK)
    assert 'platform = "systrap"' in node.text("etc/containerd/runsc.toml")
    assert node.text("systemctl.log") == "", "nothing is restarted"
    assert node.joins
    assert not (node.root / "usr/local/lib/gvisor/20261116.0/gvisor.tar.bz2").exists()


@pytest.mark.parametrize(
    ("parts_there", "checksum", "says"),
    [
        (WHOLE, "0" * 128, "is another file than the one with gvisor.sha512"),
        (WHOLE[:2], None, "holds no gvisor-bin"),
        (WHOLE[1:], None, "holds no program runsc"),
        ((), None, "holds no gvisor-bin"),
        (None, "0" * 128, "cannot be downloaded"),
    ],
)
def test_a_node_that_gets_no_gvisor_never_joins_and_says_why(
    node: Node, parts_there: tuple[str, ...] | None, checksum: str | None, says: str
) -> None:
    """B063: half a release, or another one, is none."""
    own = None if parts_there is None else node.serve(*parts_there)
    outcome = node.start(checksum or own or "")
    assert outcome.returncode == 1
    assert says in node.text("console")
    assert not node.joins
    assert node.unit.readlink() == Path("/dev/null")
    assert node.text("systemctl.log") == "daemon-reload\n"


DEVICES = ("kvm", "vhost-vsock", "vhost-net")


@pytest.mark.parametrize(
    ("missing", "says"),
    [
        (None, ""),
        ("kvm", "its /dev/kvm does not open"),
        ("vhost-vsock", "its kernel has no vhost_vsock"),
        ("vhost-net", "its kernel has no vhost_net"),
    ],
)
def test_a_node_that_starts_no_virtual_machine_never_joins_and_says_why(
    node: Node, missing: str | None, says: str
) -> None:
    """B052: whatever AWS forgot, no computer is sent to it."""
    (node.root / "dev").mkdir()
    for device in DEVICES:
        if device != missing:
            (node.root / "dev" / device).touch()
    outcome = node.run(render_joining(JOINING))
    assert outcome.returncode == (1 if missing else 0), outcome.stderr
    assert says in node.text("console")
    assert node.joins is (missing is None)
    assert node.text("systemctl.log") == ("daemon-reload\n" if missing else "")
    assert node.text("modprobe.log").startswith("kvm_intel\n")
