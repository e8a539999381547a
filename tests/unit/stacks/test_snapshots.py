"""What a stack may say about snapshots of the cluster's database, and which secrets that asks for."""

import json
from typing import Any

import pulumi
import pytest

from stacks.load import load
from stacks.secrets import S3_KEYS, Secrets, faults_of
from stacks.target.snapshots import UNSET
from tests.unit.example import BUCKET_SECRETS, SECRETS, secrets_of
from tests.unit.recorder import record
from tests.unit.stacks import hetzner_stack, server_stack

SNAPSHOTS = {"endpoint": "https://s3.example.com", "bucket": "backups"}
NAME = "etcd-snapshot-rakazo-1-1796083200"


def told(**changes: Any) -> list[str]:
    settings = server_stack.accepted(k3s__snapshots={**SNAPSHOTS, **changes})
    return [warning for warning in settings.warnings() if "snapshots" in warning]


@pytest.mark.parametrize("stack", [server_stack.accepted(), hetzner_stack.accepted()], ids=["server", "hetzner"])
def test_a_stack_without_a_bucket_is_told_where_its_snapshots_stay(stack: Any) -> None:
    """B041."""
    assert UNSET in list(stack.warnings())


def test_a_bucket_behind_tls_is_no_cause_for_a_warning() -> None:
    assert told() == []


def test_a_store_without_tls_and_a_restore_that_is_left_in_the_file_are_told() -> None:
    (plain,) = told(endpoint="http://10.0.0.5:9000/")
    assert plain.startswith("settings.target.k3s.snapshots.endpoint is http")
    (left,) = told(restore=NAME)
    assert left.startswith(f"settings.target.k3s.snapshots.restore is {NAME}: the next first server without data")
    assert left.endswith("Delete the line as soon as the cluster is back.")


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("endpoint", "s3.example.com", "is not the address of an object store; write it as"),
        ("endpoint", "https://key:secret@s3.example.com", "is not the address of an object store"),
        ("endpoint", "https://s3.example.com/backups", "is not the address of an object store"),
        ("bucket", "Backups", "must match"),
        ("bucket", "b", "must match"),
        ("region", "", "must match"),
        ("restore", "s3://backups/rakazo-team/x", "is not the name of a snapshot; write the last part of its path"),
        ("restore", "--etcd-s3=false", "is not the name of a snapshot"),
        ("restore", "a b", "is not the name of a snapshot"),
    ],
)
def test_what_k3s_could_not_use_is_refused(key: str, value: str, says: str) -> None:
    (fault,) = server_stack.refusals(k3s__snapshots={**SNAPSHOTS, key: value})
    assert fault.startswith(f"target.k3s.snapshots.{key} {says}")


def load_server(snapshots: dict[str, str] | None, **secrets: str | None) -> Secrets:
    values = {**secrets_of("server"), **BUCKET_SECRETS, **secrets}
    config = {"rakazo:settings": json.dumps(server_stack.document(k3s__snapshots=snapshots))}
    config |= {f"rakazo:{key}": value for key, value in values.items() if value is not None}
    loaded: list[Secrets] = []
    record(lambda: loaded.append(load(pulumi.Config())[1]), config=config)
    return loaded[0]


@pytest.mark.parametrize("key", S3_KEYS)
def test_a_bucket_asks_for_its_keys_with_the_line_to_write(key: str) -> None:
    with pytest.raises(pulumi.RunError, match=f"rakazo:{key} is missing; write: pulumi config set --secret {key}"):
        load_server(SNAPSHOTS, **{key: None})


def test_without_a_bucket_nobody_reads_its_keys() -> None:
    assert load_server(None).s3_secret_key is None
    assert load_server(SNAPSHOTS).s3_secret_key is not None


@pytest.mark.parametrize("key", S3_KEYS)
@pytest.mark.parametrize("value", ["", "key with blanks", "AKIAINVENTED\n"])
def test_a_key_that_is_not_one_word_is_refused_without_being_shown(key: str, value: str) -> None:
    """A server is told it as one line."""
    (fault,) = faults_of({**SECRETS, key: value})
    assert fault == (
        f"rakazo:{key} is not one line of letters, digits and signs without blanks; "
        f"write: pulumi config set --secret {key}"
    )
