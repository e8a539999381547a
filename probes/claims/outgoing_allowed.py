"""What a computer may reach: names and the public web. Without it every denial would be a broken network."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

from probes.claim import Claim, Evidence, Group
from probes.claims.destinations import DNS_PORT
from probes.facts import Facts
from probes.prober import Prober
from probes.vantage import Vantage

PATIENCE_SECONDS = 20.0
"""What must be open is asked again for so long: a network plugin that programs many new pods at once loses packets."""
PUBLIC_NAME = "example.com"
"""Reserved for examples (RFC 2606) and served on the public web since 1999."""
CLUSTER_NAME = "kubernetes.default.svc.cluster.local"
REASON = "Agents browse and install; a computer without it is of no use, and its closed doors prove nothing."
CONTROL = "A pod that no policy selects does the same: when it fails too, the cluster's network is at fault."
REMEDY = (
    "Look at the policies `dns` and `public-internet` in the computers' namespace: target.dns must name the labels of "
    "the cluster's DNS pods, and target.dns.addresses any resolver that is no pod."
)


@dataclass(frozen=True, kw_only=True)
class Witness:
    """Who tries the same without being held back, and what to do when only he succeeds."""

    vantage: Vantage
    sentence: str
    remedy: str


IN_CLUSTER = Witness(vantage=Vantage.CONTROL, sentence=CONTROL, remedy=REMEDY)

# Asks the resolver that the pod was given, over UDP and TCP, and counts what is in the answer section.
_ASK = """
import json, socket, struct, sys
def ask(name, over):
    server = next(l.split()[1] for l in open("/etc/resolv.conf") if l.startswith("nameserver"))
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    wire = b"".join(bytes([len(part)]) + part for part in name.encode().split(b".")) + b"\\0"
    question = struct.pack(">6H", 7, 256, 1, 0, 0, 0) + wire + struct.pack(">2H", 1, 1)
    kind = socket.SOCK_DGRAM if over == "udp" else socket.SOCK_STREAM
    try:
        with socket.socket(family, kind) as link:
            link.settimeout(5)
            link.connect((server, 53))
            link.sendall(question if over == "udp" else struct.pack(">H", len(question)) + question)
            got = link.recv(4096)[0 if over == "udp" else 2:]
            code, count = got[3] & 15, struct.unpack(">H", got[6:8])[0]
            return "%d answers" % count if count else "no answer, code %d" % code
    except OSError as error:
        return str(error)
print(json.dumps([ask(sys.argv[1], over) for over in ("udp", "tcp")]))
"""
_FETCH = """
import http.client, json, socket, sys
def get(name):
    try:
        link = http.client.HTTPConnection(name, 80, timeout=8)
        link.request("GET", "/")
        return "HTTP status %d" % link.getresponse().status
    except OSError as error:
        return str(error)
def dial(name):
    try:
        socket.create_connection((name, 443), 8).close()
        return "connected"
    except OSError as error:
        return str(error)
print(json.dumps([get(sys.argv[1]), dial(sys.argv[1])]))
"""


def claims(_facts: Facts) -> Iterator[Claim]:
    """Names and the web, by name."""
    yield _names("cluster", CLUSTER_NAME, "a name of the cluster", IN_CLUSTER)
    yield from allowed(IN_CLUSTER)


def allowed(witness: Witness) -> Iterator[Claim]:
    """Public names and the web, whatever the stack runs on."""
    yield _names("public", PUBLIC_NAME, "a public name", witness)
    yield _claim(
        "out-public-web",
        "A computer reaches the public web by name, over HTTP and HTTPS.",
        f"From inside a computer: GET http://{PUBLIC_NAME}/, and a connection to its port 443.",
        program=_FETCH,
        name=PUBLIC_NAME,
        asked=(f"http://{PUBLIC_NAME}/", f"{PUBLIC_NAME}:443"),
        witness=witness,
    )


def _names(key: str, name: str, what: str, witness: Witness) -> Claim:
    return _claim(
        f"out-dns-{key}",
        f"A computer resolves {what}, over UDP and TCP.",
        f"From inside a computer, its own resolver is asked for {name}.",
        program=_ASK,
        name=name,
        asked=(f"{name} by UDP, port {DNS_PORT}", f"{name} by TCP, port {DNS_PORT}"),
        witness=witness,
    )


def _open(heard: str) -> bool:
    return heard.endswith("answers") or heard.startswith("HTTP status") or heard == "connected"


def _claim(
    key: str, sentence: str, method: str, *, program: str, name: str, asked: tuple[str, str], witness: Witness
) -> Claim:
    def tried(scene: Prober, vantage: Vantage) -> list[str]:
        ran = scene.execute(vantage, ["python3", "-c", program, name])
        heard: list[str] = json.loads(ran.output)
        return heard

    def look(scene: Prober) -> Iterator[Evidence]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        seen, control = tried(scene, Vantage.COMPUTER), tried(scene, witness.vantage)
        while not all(map(_open, seen)) and all(map(_open, control)) and time.monotonic() < deadline:
            seen = tried(scene, Vantage.COMPUTER)
        for what, here, there in zip(asked, seen, control, strict=True):
            yield Evidence(
                subject=f"{Vantage.COMPUTER} → {what}",
                seen=here,
                control=f"{witness.vantage}: {there}",
                holds=_open(here),
            )

    return Claim(
        id=key,
        group=Group.OUT,
        sentence=sentence,
        reason=REASON,
        method=method,
        control=witness.sentence,
        remedy=witness.remedy,
        look=look,
    )
