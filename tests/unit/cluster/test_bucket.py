"""What k3s is told about a bucket for snapshots, and what a server is told that restores one."""

from typing import Any

import pytest
import yaml

from components.k3s import config
from components.k3s.bucket import describe, restore_variables
from components.k3s.plan import Plan
from stacks.target.k3s import K3sSettings
from stacks.target.snapshots import SnapshotSettings
from tests.unit.cluster.example import AGENTS, SERVERS, SHA256, plan

NAME = "etcd-snapshot-server-1-1796083200"


def with_bucket(restore: str | None = None, **changes: Any) -> Plan:
    snapshots = SnapshotSettings(endpoint="https://s3.example.com", bucket="backups", restore=restore)
    return plan(k3s=K3sSettings(version="v1.36.2+k3s1", sha256=SHA256, snapshots=snapshots), **changes)


@pytest.mark.parametrize("restore", [None, NAME])
def test_servers_name_the_secret_and_nothing_else_of_s3(restore: str | None) -> None:
    """Beside any other flag of S3 k3s ignores the Secret, and snapshots would go nowhere."""
    told = yaml.safe_load(config.render_shared(with_bucket(restore), "server"))
    assert {key: value for key, value in told.items() if key.startswith("etcd")} == {
        "etcd-s3": True,
        "etcd-s3-config-secret": "k3s-etcd-snapshot-s3-config",
    }


def test_agents_and_a_cluster_without_a_bucket_are_told_nothing_of_it() -> None:
    assert "etcd" not in config.render_shared(with_bucket(), "agent")
    assert "etcd" not in config.render_shared(plan(), "server")


@pytest.mark.parametrize(
    ("endpoint", "host", "insecure"),
    [("https://s3.example.com", "s3.example.com", "false"), ("http://10.0.0.5:9000", "10.0.0.5:9000", "true")],
)
def test_a_store_is_named_as_k3s_names_it_and_each_stack_has_a_folder_of_its_own(
    endpoint: str, host: str, insecure: str
) -> None:
    """k3s keeps five snapshots in a folder, whoever made them."""
    assert describe("team", SnapshotSettings(endpoint=endpoint, bucket="backups", region="fsn1")) == {
        "etcd-s3-endpoint": host,
        "etcd-s3-bucket": "backups",
        "etcd-s3-region": "fsn1",
        "etcd-s3-folder": "rakazo-team",
        "etcd-s3-insecure": insecure,
    }


def test_only_the_first_server_restores_and_is_told_how_without_keys() -> None:
    made = with_bucket(NAME)
    told = restore_variables(made, made.servers[0])
    assert told["RESTORE"] == NAME
    assert told["RESTORE_FLAGS"].split() == [
        "--etcd-s3=true",
        "--etcd-s3-endpoint=s3.example.com",
        "--etcd-s3-bucket=backups",
        "--etcd-s3-region=us-east-1",
        "--etcd-s3-folder=rakazo-test",
        "--etcd-s3-insecure=false",
    ]
    for other in (*SERVERS[1:], *AGENTS):
        assert restore_variables(made, other) == {"RESTORE": "", "RESTORE_FLAGS": ""}
    assert restore_variables(with_bucket(), SERVERS[0]) == {"RESTORE": "", "RESTORE_FLAGS": ""}
