"""What holds for every committed stack file whose cluster is one of EKS."""

import json
from itertools import product

import pytest

from components.deployment import deploy
from tests.program.stack_files import STACK_NAMES, settings_of, stack_file
from tests.unit import recorder as engine
from tests.unit.clouds import aws
from tests.unit.example import secret_outputs, secrets_of
from tests.unit.recorder import Recorder, Registered, leaves, record

AT_AWS = [name for name in STACK_NAMES if settings_of(name).target.kind == "eks"]
assert AT_AWS, "no stack has a cluster of EKS, so nothing would be tested"


@pytest.fixture(params=AT_AWS)
def stack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def made(recorded: Recorder) -> list[Registered]:
    found = [item for item in recorded.seen if item.typ.startswith("aws:")]
    assert len(found) > 40
    return found


def test_the_default_provider_of_aws_is_switched_off(stack: str) -> None:
    """B004: nothing is made in whatever account the operator's shell points at."""
    assert "aws" in stack_file(stack)["pulumi:disable-default-providers"]


def test_standard_support_access_entries_and_policies_are_never_left_to_defaults(recorded: Recorder) -> None:
    """B024, B068, B087, B090."""
    (cluster,) = (item for item in made(recorded) if item.typ == "aws:eks/cluster:Cluster")
    assert cluster.inputs["upgradePolicy"] == {"supportType": "STANDARD"}
    assert cluster.inputs["accessConfig"]["authenticationMode"] == "API"
    assert cluster.protect
    (network,) = (item for item in recorded.of_kind("Addon") if item.inputs["addonName"] == "vpc-cni")
    assert json.loads(network.inputs["configurationValues"])["enableNetworkPolicy"] == "true"
    assert [item.name for item in recorded.kubernetes if item.metadata.get("name") == "aws-auth"] == []


def test_every_node_keeps_its_metadata_from_pods(recorded: Recorder) -> None:
    """B086."""
    templates = recorded.of_kind("LaunchTemplate")
    assert len(templates) == 2
    for template in templates:
        options = template.inputs["metadataOptions"]
        assert (options["httpTokens"], options["httpPutResponseHopLimit"]) == ("required", 1)


def test_the_world_is_let_in_nowhere(recorded: Recorder) -> None:
    """B038, B040."""
    for item in made(recorded):
        if item.kind in {"SecurityGroupEgressRule", "Route"}:
            continue
        open_ = [path for path, value in leaves(item.inputs) if value in ("0.0.0.0/0", "::/0")]
        assert open_ == [], item.name
    for rule in recorded.of_kind("SecurityGroupIngressRule"):
        assert rule.inputs["referencedSecurityGroupId"]


def test_every_claim_names_its_class(recorded: Recorder) -> None:
    """B085."""
    claims = recorded.of_kind("PersistentVolumeClaim")
    assert {claim.inputs["spec"]["storageClassName"] for claim in claims} == {"rakazo-gp3"}


def test_no_input_holds_a_secret_of_the_stack(recorded: Recorder) -> None:
    """User data and tags are read by whoever may look at the account."""
    for item, secret in product(made(recorded), secrets_of("eks").values()):
        assert secret not in str(item.inputs), item.name


def test_two_stacks_of_one_account_share_no_name(stack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B037."""

    def names(of: str) -> set[tuple[str, str]]:
        monkeypatch.setattr(engine, "STACK", of)
        settings = settings_of(stack)
        recorder = record(lambda: deploy(settings, secret_outputs(**secrets_of("eks"))), answers=aws.answers())
        return {(item.kind, item.inputs["name"]) for item in made(recorder) if "name" in item.inputs}

    assert names("dev") & names("production") == set()
