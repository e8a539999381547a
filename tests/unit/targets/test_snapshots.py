"""A bucket for snapshots: what the cluster is told of it, and what the machines are."""

import base64
import functools
from collections.abc import Callable
from typing import Any

import pytest

from components.deployment import deploy
from stacks.settings import StackSettings
from tests.unit.example import BUCKET_SECRETS, secret_outputs, secrets_of
from tests.unit.graph import everything_before
from tests.unit.outputs import hetzner
from tests.unit.recorder import Recorder, Registered, Secret, leaves, record
from tests.unit.stacks import hetzner_stack, server_stack

BUCKET = {"endpoint": "https://s3.example.com", "bucket": "backups", "region": "fsn1"}
RESTORED = {**BUCKET, "restore": "etcd-snapshot-rakazo-1-1796083200"}
STACKS = pytest.mark.parametrize("accepted", [server_stack.accepted, hetzner_stack.accepted], ids=["server", "hetzner"])
Accepted = Callable[..., StackSettings]


@functools.cache
def _deployed(accepted: Accepted, snapshots: tuple[tuple[str, str], ...]) -> Recorder:
    settings = accepted(k3s__snapshots=dict(snapshots) or None)
    secrets = {**secrets_of(settings.target.kind), **(BUCKET_SECRETS if snapshots else {})}
    return record(lambda: deploy(settings, secret_outputs(**secrets)), answers=hetzner())


def deployed(accepted: Accepted, snapshots: dict[str, str] | None) -> Recorder:
    return _deployed(accepted, tuple((snapshots or {}).items()))


def bucket_secrets(recorder: Recorder) -> list[Registered]:
    return [item for item in recorder.of_kind("Secret") if item.namespace == "kube-system"]


def stdin(command: Registered) -> str:
    hidden = command.inputs["stdin"]
    assert isinstance(hidden, Secret)
    return str(hidden.value)


def pod_annotations(recorder: Recorder) -> dict[str, str]:
    templates = [
        item.inputs["spec"]["template"]["metadata"]
        for item in recorder.kubernetes
        if "template" in item.inputs.get("spec", {})
    ]
    component, key = "app.kubernetes.io/component", "rakazo-infra/configuration"
    return {each["labels"][component]: each["annotations"][key] for each in templates if each.get("annotations")}


def servers(recorder: Recorder) -> list[Registered]:
    return [item for item in recorder.of_kind("Command") if item.name.endswith("-node-k3s")]


@STACKS
def test_the_bucket_is_in_a_secret_of_the_kind_that_k3s_reads(accepted: Accepted) -> None:
    (secret,) = bucket_secrets(deployed(accepted, BUCKET))
    assert secret.metadata["name"] == "k3s-etcd-snapshot-s3-config"
    assert secret.inputs["type"] == "etcd.k3s.cattle.io/s3-config-secret"
    data: Any = secret.inputs["data"]
    data = data.value if isinstance(data, Secret) else data
    told = {key: value.value if isinstance(value, Secret) else value for key, value in data.items()}
    assert {key: base64.b64decode(value).decode() for key, value in told.items()} == {
        "etcd-s3-endpoint": "s3.example.com",
        "etcd-s3-bucket": "backups",
        "etcd-s3-region": "fsn1",
        "etcd-s3-folder": "rakazo-test",
        "etcd-s3-insecure": "false",
        "etcd-s3-access-key": BUCKET_SECRETS["s3_access_key"],
        "etcd-s3-secret-key": BUCKET_SECRETS["s3_secret_key"],
    }


@STACKS
def test_its_keys_are_encrypted_in_the_state_and_reach_no_machine(accepted: Accepted) -> None:
    """B009: k3s reads them out of its own cluster."""
    recorder = deployed(accepted, BUCKET)
    for key in BUCKET_SECRETS.values():
        encoded = base64.b64encode(key.encode()).decode()
        plain = {
            str(value) for item in recorder.seen for _, value in leaves(item.inputs) if not isinstance(value, Secret)
        }
        assert [value for value in plain if key in value or encoded in value] == []
        assert [command.name for command in recorder.of_kind("Command") if key in str(command.inputs)] == []


@STACKS
def test_the_secret_goes_through_the_clusters_own_provider_when_its_nodes_are_ready(accepted: Accepted) -> None:
    """B004."""
    recorder = deployed(accepted, BUCKET)
    (provider,) = [item for item in recorder.seen if item.typ == "pulumi:providers:kubernetes"]
    (secret,) = bucket_secrets(recorder)
    assert secret.provider.startswith(provider.urn)
    assert {command.name for command in servers(recorder)} <= everything_before(recorder, provider)


@STACKS
def test_only_the_first_server_is_told_the_keys_and_only_to_restore(accepted: Accepted) -> None:
    first, *others = servers(deployed(accepted, RESTORED))
    assert stdin(first).splitlines()[2:] == list(BUCKET_SECRETS.values())
    assert [other.name for other in others if len(stdin(other).splitlines()) > 2] == []


@STACKS
def test_who_needs_the_schema_starts_anew_when_the_cluster_begins_with_a_snapshot(accepted: Accepted) -> None:
    """The database may be empty then, and the Job of the snapshot has run to its end. Nobody else is disturbed."""
    told = [pod_annotations(deployed(accepted, snapshots)) for snapshots in (None, BUCKET, RESTORED)]
    assert told[0] == told[1]
    assert {name for name, value in told[2].items() if value != told[1][name]} == {"migrate", "api", "worker"}
    assert all(told[2][name].endswith(f"-{RESTORED['restore']}") for name in ("migrate", "api", "worker"))
