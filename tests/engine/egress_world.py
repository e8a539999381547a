"""Network namespaces that stand for a machine, its computers and everything outside, with a listener in each."""

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from components.docker.egress import RANGES, SCRIPTS, render_ranges
from components.rakazo.ranges import not_public
from probes.cast import READY, serve
from probes.reach import Answer, Destination, answers, command

SECONDS = 10.0
PORT = 8080
OUTSIDE = {
    "public": "192.175.48.80",
    "10": "10.99.0.10",
    "100": "100.64.0.10",
    "169": "169.254.169.254",
    "172": "172.20.0.10",
    "192": "192.168.99.10",
    "198": "198.18.0.10",
    "203": "203.0.113.10",
    "240": "240.0.0.10",
    "resolver": "192.168.7.1",
    "public6": "2a00:1::80",
    "local6": "fd00:99::10",
    "documentation6": "2001:db8:9::10",
}
MACHINE = {"gateway": "10.189.1.1", "own": "192.175.48.101", "gateway6": "fd00:1::1", "own6": "2a00:2::101"}
PUBLIC = {"public", "public6"}


class Place:
    """A network of its own, held by a process that does nothing else."""

    def __init__(self) -> None:
        self._holder = subprocess.Popen(["unshare", "--net", "sleep", "900"])
        deadline, own = time.monotonic() + SECONDS, Path("/proc/self/ns/net").readlink()
        while Path(f"/proc/{self.pid}/ns/net").readlink() == own:
            assert time.monotonic() < deadline, "the process got no network of its own"
            time.sleep(0.01)
        self.run("ip", "link", "set", "lo", "up")

    @property
    def pid(self) -> int:
        return self._holder.pid

    def line(self, *argv: str) -> list[str]:
        return ["nsenter", f"--target={self.pid}", "--net", "--", *argv]

    def run(self, *argv: str, check: bool = True, root: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = dict(os.environ) | ({} if root is None else {"RAKAZO_ROOT": str(root)})
        done = subprocess.run(
            self.line(*argv), capture_output=True, text=True, timeout=60, check=False, env=environment
        )
        assert not check or done.returncode == 0, f"{argv}: {done.stdout}{done.stderr}"
        return done

    def listen(self) -> "subprocess.Popen[str]":
        started = subprocess.Popen(self.line(*serve(PORT)), stdout=subprocess.PIPE, text=True)
        assert started.stdout is not None
        assert started.stdout.readline().strip() == READY
        return started

    def end(self) -> None:
        self._holder.kill()
        self._holder.wait(SECONDS)


@dataclass(frozen=True)
class World:
    machine: Place
    computer: Place
    stranger: Place
    root: Path
    """Where the script finds its files."""

    def script(self, word: str, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self.machine.run(str(SCRIPTS / "egress"), word, check=check, root=self.root)


def tried(place: Place, where: dict[str, str], seconds: float = 1.0) -> dict[str, Answer]:
    targets = [Destination(name=name, address=address, port=PORT) for name, address in where.items()]
    return answers(targets, place.run(*command(targets, seconds)).stdout)


def names_asked(place: Place, address: str) -> Answer:
    """Whether a TCP connection to the port of names is let through: refused means that somebody was there to say so."""
    target = Destination(name="names", address=address, port=53)
    return answers([target], place.run(*command([target], 1.0)).stdout)["names"]


def cable(near: Place, name: str, far: Place, addresses: Sequence[str], gateways: Sequence[str]) -> None:
    near.run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", str(far.pid))
    near.run("ip", "link", "set", name, "up")
    far.run("ip", "link", "set", "eth0", "up")
    for address in addresses:
        far.run("ip", "address", "add", address, "dev", "eth0", *(["nodad"] if ":" in address else []))
    for gateway in gateways:
        far.run("ip", "route", "add", "default", "via", gateway)


def bridge(machine: Place, name: str, number: int, member: Place) -> None:
    cable(machine, f"veth{number}", member, (), ())
    machine.run("ip", "link", "add", name, "type", "bridge")
    machine.run("ip", "link", "set", f"veth{number}", "master", name)
    machine.run("ip", "link", "set", name, "up")
    for address, own in (
        (f"10.189.{number}.1/24", f"10.189.{number}.2/24"),
        (f"fd00:{number}::1/64", f"fd00:{number}::2/64"),
    ):
        nodad = ["nodad"] if ":" in address else []
        machine.run("ip", "address", "add", address, "dev", name, *nodad)
        member.run("ip", "address", "add", own, "dev", "eth0", *nodad)
        member.run("ip", "route", "add", "default", "via", address.partition("/")[0])


@contextlib.contextmanager
def world_in(root: Path) -> Iterator[World]:
    """Lay the cables and start the listeners; `root` is an empty folder, where the script finds its files."""
    (root / "proc/sys/net/ipv6").mkdir(parents=True)
    (root / RANGES.lstrip("/")).parent.mkdir(parents=True)
    (root / RANGES.lstrip("/")).write_text(render_ranges(not_public()), encoding="utf-8")
    (root / "etc/resolv.conf").write_text(f"nameserver {OUTSIDE['resolver']}\n", encoding="utf-8")
    with contextlib.ExitStack() as stack:
        machine, computer, stranger, outside = places = [Place() for _ in range(4)]
        for place in places:
            stack.callback(place.end)
        cable(machine, "wan0", outside, ["192.175.48.1/24", "2a00:2::1/64"], ["192.175.48.101", "2a00:2::101"])
        for address in ("192.175.48.101/24", "2a00:2::101/64"):
            machine.run("ip", "address", "add", address, "dev", "wan0", *(["nodad"] if ":" in address else []))
        for gateway in ("192.175.48.1", "2a00:2::1"):
            machine.run("ip", "route", "add", "default", "via", gateway)
        for address in OUTSIDE.values():
            outside.run("ip", "address", "add", f"{address}/{128 if ':' in address else 32}", "dev", "lo")
        machine.run("sysctl", "--quiet", "--write", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
        bridge(machine, "rakazo-c0000001", 1, computer)
        bridge(machine, "plain0", 3, stranger)
        for place in (machine, computer, outside):
            listening = stack.enter_context(place.listen())
            stack.callback(listening.kill)
        yield World(machine=machine, computer=computer, stranger=stranger, root=root)
