"""One rented server of the product's own parts under the real CLI: its stock, its protection and what is left of it.

No machine is behind it, and that Hetzner answers so is the stand-in's word. test_hetzner_target.py is a whole life.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from operations.hetzner_project import ENDPOINT
from tests.engine.small_program import STACK, TOKEN, SmallProgram
from tests.providers.hcloud import HcloudPackage, Project
from tests.providers.hcloud.http_api import hetzner_api
from tests.providers.server import ProviderServer
from tests.providers.tls import TlsPackage

PROGRAM = """
    import pulumi
    import pulumi_hcloud as hcloud

    from components.targets.hetzner.availability import AvailabilityArgs, choose
    from components.targets.hetzner.cloud_server import CloudServer, CloudServerArgs
    from components.targets.hetzner.identity import Identity, IdentityArgs
    from components.targets.hetzner.names import labels
    from components.targets.hetzner.surroundings import Surroundings, SurroundingsArgs
    from tests.unit.stacks.hetzner_stack import target

    config, stack = pulumi.Config("rakazo"), pulumi.get_stack()
    settings = target(protect=config.require_bool("protect"))
    provider = hcloud.Provider("cloud", token=config.require_secret("hcloud_token"))
    location = choose(AvailabilityArgs(stack=stack, settings=settings, provider=provider))
    (machine,) = settings.machines
    key = config.require("administrator")
    around = Surroundings(
        "around", SurroundingsArgs(stack=stack, settings=settings, public_key=key, provider=provider)
    )
    identity = Identity(
        "identity",
        IdentityArgs(stack=stack, key=machine.key, location=location, protect=settings.protect, provider=provider),
    )
    args = CloudServerArgs(
        stack=stack,
        machine=machine,
        identity=identity,
        surroundings=around,
        administrator=pulumi.Output.from_input(key),
        location=location,
        image=settings.image,
        protect=settings.protect,
        provider=provider,
        after=[],
    )
    server = CloudServer("server", args).server
    hcloud.Volume(
        "data",
        name="data",
        size=10,
        location="fsn1",
        labels=labels(stack),
        opts=pulumi.ResourceOptions(provider=provider, depends_on=[server]),
    )
"""
"""The volume stands for all that a destroy takes away before it comes to the servers: Rakazo and its data."""
PARTS = {"server", "primary IP", "network", "firewall", "placement group", "SSH key"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGW9vD8okZggNaKtJt+fILyhz6DKU8T9haeEEQC7yNb4"


@pytest.fixture
def project() -> Project:
    return Project()


@pytest.fixture
def program(tmp_path: Path, project: Project) -> Iterator[SmallProgram]:
    """The stack of one protected server, up."""
    with ProviderServer([TlsPackage(), HcloudPackage(project)]) as server:
        made = SmallProgram(folder=tmp_path, environment=server.environment)
        made.init()
        made.write(PROGRAM)
        made.configure({"rakazo:protect": "true", "rakazo:administrator": KEY}, {"rakazo:hcloud_token": TOKEN})
        made.up()
        yield made
        assert server.faults == []


def leftovers(program: SmallProgram, project: Project) -> tuple[int, list[dict[str, Any]]]:
    """Return exit code and answer of the command as people type it in the project's folder."""
    with hetzner_api(project, TOKEN) as endpoint:
        done = subprocess.run(
            [str(Path(sys.executable).with_name("rakazo-infra")), "leftovers", "--json"],
            cwd=program.folder,
            env={**os.environ, **program._environment(), ENDPOINT: endpoint},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.stdout, done.stderr
    answer = json.loads(done.stdout)
    assert answer["stack"] == STACK
    return done.returncode, answer["remains"]


def test_no_stock_anywhere_stops_no_server_that_is_there_and_every_one_that_is_missing(
    program: SmallProgram, project: Project
) -> None:
    """B030: whether it is there is asked by its labels, since another stack in the project has servers too."""
    project.catalogue.sell_out("cx43")
    program.must("preview", "--expect-no-changes")
    (server,) = project.all("server").values()
    server["labels"] = {**server["labels"], "rakazo-stack": "other"}
    assert "none has every type in stock now" in program.refused("preview")


def test_a_protected_server_stops_a_destroy_before_anything_is_gone(program: SmallProgram, project: Project) -> None:
    """B036: in the preview, with the line that ends the protection; also what is deleted before the server is kept."""
    before = list(project.history)
    said = program.refused("destroy", "--yes")
    assert "because it is protected" in said
    assert project.history == before


def test_hetzner_is_asked_what_is_left_with_the_stacks_own_token(program: SmallProgram, project: Project) -> None:
    """B011, B036: the audit finds all of a stack that is up, and nothing after its destroy."""
    code, found = leftovers(program, project)
    assert code == 1
    assert {each["kind"] for each in found} == PARTS | {"volume"}
    assert {each["kind"] for each in found if each["protected"]} == {"server", "primary IP"}
    program.configure({"rakazo:protect": "false"})
    program.up()
    program.must("destroy", "--yes")
    assert project.summary() == {}
    assert leftovers(program, project) == (0, [])
