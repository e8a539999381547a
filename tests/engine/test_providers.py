"""The stand-in providers under the real CLI; what they say of Hetzner is their tables', not a cloud's."""

from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from local.machines.machine import Machine as Holder
from tests.engine.small_program import TOKEN, SmallProgram
from tests.machines.namespace import Namespace, hold, let_go
from tests.providers.command import CommandPackage, Surroundings
from tests.providers.hcloud import HcloudPackage, Project
from tests.providers.plugin import install
from tests.providers.server import ProviderServer
from tests.providers.ssh_server import SshServer
from tests.providers.tls import TlsPackage

GROUP = "rakazo-providers-test"
MARKERS = {"stdin": "marker-in-61", "user_data": "marker-ud-62", "token": f"marker-{TOKEN}"[: len(TOKEN)]}

CLOUD = """
    import pulumi
    import pulumi_hcloud as hcloud
    import pulumi_tls as tls

    config = pulumi.Config()
    key = tls.PrivateKey("admin", algorithm="ED25519")
    admin = hcloud.SshKey("admin", public_key=key.public_key_openssh)
    network = hcloud.Network("net", ip_range="10.0.0.0/16")
    subnet = hcloud.NetworkSubnet(
        "nodes", network_id=network.id.apply(int), ip_range="10.0.1.0/24", network_zone="eu-central", type="cloud"
    )
    source = config.get("admin") or "198.51.100.7/32"
    firewall = hcloud.Firewall(
        "in", name="in", rules=[{"direction": "in", "protocol": "tcp", "port": "22", "source_ips": [source]}]
    )
    server = hcloud.Server(
        "rakazo-1",
        name="rakazo-1",
        server_type=hcloud.get_server_type(name="cx43").name,
        location="fsn1",
        image="debian-12",
        user_data=config.require_secret("user_data"),
        ssh_keys=[admin.id],
        firewall_ids=[firewall.id.apply(int)],
        networks=[{"subnet_id": subnet.id, "ip": "10.0.1.11", "alias_ips": []}],
    )
    server.ipv4_address.apply(lambda address: print(f"applied {address}"))
    pulumi.export("address", server.ipv4_address)
    pulumi.export("key", key.private_key_openssh)
"""


@pytest.fixture
def project() -> Project:
    return Project()


@pytest.fixture
def program(tmp_path: Path, project: Project) -> Iterator[SmallProgram]:
    """A program in a folder of its own, attached to the stand-ins, whose own mistakes end the test."""
    packages = [TlsPackage(), CommandPackage(Surroundings(folder=tmp_path)), HcloudPackage(project)]
    with ProviderServer(packages) as server:
        made = SmallProgram(folder=tmp_path, environment=server.environment)
        made.init()
        yield made
        assert server.faults == []


def test_a_cloud_goes_through_its_whole_life(program: SmallProgram, project: Project) -> None:
    """B025: preview, up, no change, an update in place, drift, a replacement that deletes first, destroy."""
    program.write(CLOUD)
    program.configure({}, {"hcloud:token": MARKERS["token"], "user_data": MARKERS["user_data"]})
    assert "applied" not in program.must("preview"), "an address is not known before the server is there"
    assert project.history == []
    first = program.up()
    assert "applied 192.175.48.101" in first
    program.must("preview", "--expect-no-changes", "--refresh")
    secrets = [MARKERS["user_data"], MARKERS["token"], "BEGIN OPENSSH"]
    assert [secret for secret in secrets for text in (first, program.state()) if secret in text] == []

    program.configure({"admin": "203.0.113.9/32"})
    assert "~ 1 updated" in program.up()
    server = next(iter(project.all("server")))
    project.all("server")[server]["labels"] = {"by": "hand"}
    drifted = program.run("refresh", "--preview-only", "--expect-no-changes")
    assert drifted.code != 0, drifted.output
    project.all("server")[server]["labels"] = {}

    program.configure({}, {"user_data": "another"})
    assert "+-1 replaced" in program.up()
    assert project.history[-4:-2] == ["delete server rakazo-1", "create server rakazo-1"]
    assert server not in project.all("server")
    program.must("destroy", "--yes", "--skip-preview")
    assert project.summary() == {}


REFUSED = """
    import pulumi_hcloud as hcloud

    def server(name, **changes):
        given = {"server_type": "cx43", "location": "fsn1", "image": "debian-12", **changes}
        return hcloud.Server(name, name=name, **given)

    server("unknown", server_type="cx99")
    server("elsewhere", location="ash")
    server("nowhere", location="fra1")
    server("sold-out", location="hel1")
    server("long", user_data="x" * 33000)
    network = hcloud.Network("net", name="net", ip_range="10.0.0.0/16")
    subnet = hcloud.NetworkSubnet(
        "far", network_id=network.id.apply(int), ip_range="10.0.1.0/24", network_zone="us-east", type="cloud"
    )
    server("unplugged", networks=[{"subnet_id": subnet.id}])
    hcloud.Network("other", name="taken", ip_range="10.1.0.0/16")
"""


def test_refusals_reach_the_operator_and_what_exists_is_kept(program: SmallProgram, project: Project) -> None:
    """B026, B029, B030, B037: one run, each with its code; the server that could not be attached stays in the state."""
    project.catalogue.sell_out("cx43", "hel1")
    project.add("network", {"name": "taken"})
    program.write(REFUSED)
    program.configure({"hcloud:token": TOKEN})
    printed = program.refused("up", "--yes", "--skip-preview", "--continue-on-error")
    for message in (
        "server type cx99 not found",
        "unsupported location for server type (invalid_input)",
        "location 'fra1' not found (invalid_input)",
        "error during placement (resource_unavailable)",
        "invalid input in field 'user_data' (invalid_input)",
        "no subnet or IP available (no_subnet_available)",
        "name is already used (uniqueness_error)",
    ):
        assert message in printed
    assert project.summary()["server"] == ["unplugged"]
    protected = next(iter(project.all("server").values()))
    protected["deleteProtection"] = True
    assert "server deletion is protected (protected)" in program.refused("destroy", "--yes", "--skip-preview")
    protected["deleteProtection"] = False
    program.must("destroy", "--yes", "--skip-preview")
    assert project.summary() == {"network": ["taken"]}


def test_a_mistake_is_found_in_preview_and_a_missing_token_has_its_command(program: SmallProgram) -> None:
    program.write(
        """
        import pulumi_hcloud as hcloud
        hcloud.Server("a", server_type="cx43", networks=[{"subnet_id": "7-10.0.0.0/24", "ipp": "10.0.0.2"}])
        """
    )
    assert "pulumi config set hcloud:token" in program.refused("preview")
    program.configure({"hcloud:token": TOKEN})
    printed = program.refused("preview")
    assert "networks[0].ipp" in printed
    assert "no such property, did you mean 'ip'?" in printed


COMMANDS = """
    import pulumi
    import pulumi_command as command

    config = pulumi.Config()
    made = command.remote.Command(
        "install",
        connection=command.remote.ConnectionArgs(
            host="127.0.0.1",
            port=config.require_int("port"),
            private_key=config.require_secret("key"),
            host_key=config.require("host_key"),
            dial_error_limit=0,
        ),
        create="cat > token; echo installed; echo told >&2",
        delete="rm token",
        stdin=config.require_secret("stdin"),
        triggers=[config.get("trigger") or "first"],
    )
    pulumi.export("said", made.stdout)
"""


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Namespace]:
    """A network namespace in which the CLI, the stand-ins' sockets and the machine are, and nothing else."""
    holder = Holder("operator", tmp_path / "operator")
    hold(holder, GROUP)
    try:
        namespace = Namespace(holder)
        namespace.batch(["link set lo up"])
        yield namespace
    finally:
        let_go(holder, GROUP)


def test_a_command_runs_over_ssh_inside_the_operators_network(tmp_path: Path, operator: Namespace) -> None:
    """B008 and the like: with a wrong host key nothing is sent, and a secret is nowhere but on the machine."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    folder, far = tmp_path / "program", tmp_path / "far"
    folder.mkdir()
    far.mkdir()
    prefix = ["nsenter", f"--target={operator.holder.pid}", "--net", "--"]
    package = CommandPackage(Surroundings(place=operator.inside, folder=folder))
    with (
        SshServer(far, key.export_public_key().decode(), place=operator.inside) as machine,
        ProviderServer([package], operator.inside) as server,
    ):
        program = SmallProgram(folder=folder, environment=server.environment, prefix=prefix)
        program.init()
        other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode().strip()
        program.write(COMMANDS)
        private = key.export_private_key().decode()
        program.configure({"port": machine.port, "host_key": other}, {"key": private, "stdin": MARKERS["stdin"]})
        printed = [program.refused("up", "--yes", "--skip-preview")]
        assert "ssh: host key mismatch" in printed[0]
        assert (machine.connections, machine.commands) == (0, [])
        program.configure({"host_key": machine.host_key})
        printed.append(program.up())
        assert (far / "token").read_text() == MARKERS["stdin"]
        assert 'said: "installed"' in printed[-1]
        program.configure({"trigger": "second"})
        printed.append(program.up())
        assert machine.commands == [machine.commands[0]] * 2 + ["rm token"], "the replacement comes before the removal"
        printed.append(program.refused("destroy", "--yes", "--skip-preview"))
        assert "Process exited with status 1" in printed[-1]
        assert server.faults == []
    assert "told" in printed[1], "what a command prints is shown while it runs"
    secrets = [MARKERS["stdin"], private.split("\n")[1]]
    assert [secret for secret in secrets for text in (*printed, program.state()) if secret in text] == []


def test_nothing_depends_on_being_attached(tmp_path: Path) -> None:
    """The same stand-ins as plugins of their own, each a process for each command."""
    program = SmallProgram(folder=tmp_path)
    program.write(
        """
        import pulumi
        import pulumi_command as command
        import pulumi_tls as tls
        key = tls.PrivateKey("k", algorithm="ED25519")
        pulumi.export("said", command.local.Command("c", create="cat", stdin=key.public_key_openssh).stdout)
        """
    )
    program.init()
    install(program.home)
    assert 'said: "ssh-ed25519 ' in program.up()
    program.must("destroy", "--yes", "--skip-preview")
