"""A server is lost with its disk, and its cluster begins again on another machine with a snapshot out of a bucket.

The machines are whole ones, k3s and the object store are stand-ins. The tests are one life of the cluster, in their
order, and what is typed in them is what docs/targets/server.md tells people to type.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from stacks.ssh_key import public_key
from tests.deployments import steps
from tests.estate_server import NAME, EstateServer, estate_server, host_key, machine_settings, plain_machine
from tests.machines.addresses import OBJECT_STORE
from tests.machines.machine import Machine
from tests.machines.object_store import ObjectStore
from tests.machines.web_server import WebServer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
KEYS = {"rakazo:s3_access_key": "AKIAINVENTED", "rakazo:s3_secret_key": "invented/secret+of/a+bucket"}
ADDRESS, PRIVATE = "192.175.48.102", "10.0.1.12"
"""Where the other machine is."""
AWAKENED = {"rakazo-migrate", "rakazo-api", "rakazo-worker", "rakazo-web", "proof", "entry-web"}
"""Who needs the database's schema and starts anew with another snapshot, and what is proven anew after it."""


@dataclass(frozen=True, kw_only=True)
class Life:
    """The stack, and the bucket."""

    server: EstateServer
    store: ObjectStore

    def write(self, changes: dict[str, Any] | None = None, **restore: str) -> None:
        bucket = {"endpoint": f"http://{OBJECT_STORE}", "bucket": self.store.bucket, **restore}
        k3s = {**self.server.settings["target.k3s"], "snapshots": bucket}
        self.server.write({"target.k3s": k3s, **(changes or {})})

    @property
    def machine(self) -> Machine:
        """The machine that has the name now."""
        return self.server.estate.machines[NAME]

    def k3s(self, *words: str) -> str:
        return self.machine.run(["k3s", *words]).stdout

    def config_maps(self) -> set[str]:
        return set(self.k3s("kubectl", "get", "configmaps", "--output=name").split())

    @property
    def snapshot(self) -> str:
        """The name of the one snapshot in the bucket."""
        (key,) = self.store.objects
        return key.rpartition("/")[2]

    def moved(self) -> dict[str, Any]:
        """Return what the stack file says of the other machine."""
        machine = {**machine_settings(host_key(self.machine)), "address": ADDRESS, "private_address": PRIVATE}
        return {"target.machines": [machine]}


@pytest.fixture(scope="module")
def life() -> Iterator[Life]:
    access_key, secret_key = KEYS.values()
    store = ObjectStore(bucket="backups", access_key=access_key, secret_key=secret_key)
    with estate_server(".test-restore", KEYS) as server:
        web = WebServer(server.estate.operator, OBJECT_STORE, store.answer)
        try:
            yield Life(server=server, store=store)
        finally:
            web.close()


def test_a_snapshot_goes_into_the_bucket(life: Life) -> None:
    life.write()
    outcome = life.server.stack.up()
    assert outcome.code == 0, f"{outcome.diagnostics}\n{life.server.journal()}"
    life.k3s("kubectl", "create", "configmap", "before")
    life.k3s("etcd-snapshot", "save")
    life.k3s("kubectl", "create", "configmap", "after")
    assert f"s3://backups/rakazo-server/{life.snapshot}" in life.k3s("etcd-snapshot", "list")
    assert life.snapshot.startswith(f"on-demand-{NAME}-")


def test_the_keys_of_the_bucket_are_in_no_file_of_the_machine_and_not_in_plain_state(life: Life) -> None:
    """B008, B009: the cluster's own database is encrypted."""
    places = ["/etc", "/root", "/usr/local", "/var/lib/rakazo-infra", "/var/lib/rancher/k3s/server"]
    for key in KEYS.values():
        found = life.machine.run(["grep", "-rlF", key, *places], check=False).stdout
        assert found == ""
        assert key not in life.server.stack.state()


def test_another_machine_begins_with_the_snapshot(life: Life) -> None:
    """B041, B122: with the token that was kept outside of the cluster; the first `up` does all of it."""
    estate = life.server.estate
    estate.remove(life.machine)
    plain_machine(estate, public_key(life.server.secrets["rakazo:ssh_private_key"]), ADDRESS, PRIVATE)
    life.write(life.moved(), restore=life.snapshot)
    outcome = life.server.stack.pulumi.run("up", "--yes", "--suppress-progress")
    assert outcome.code == 0, f"{outcome.diagnostics}\n{life.server.journal()}"
    assert "claims proven" in outcome.output
    assert "configmap/before" in life.config_maps()
    assert "configmap/after" not in life.config_maps()
    (node,) = json.loads(life.k3s("kubectl", "get", "nodes", "--output=json"))["items"]
    assert node["metadata"]["name"] == NAME
    assert {"type": "InternalIP", "address": PRIVATE} in node["status"]["addresses"]


def test_a_refresh_makes_good_what_was_changed_after_the_snapshot(life: Life) -> None:
    life.k3s("kubectl", "--namespace=rakazo", "delete", "service", "rakazo-web")
    outcome = life.server.stack.pulumi.run("up", "--refresh", "--yes", "--suppress-progress")
    assert outcome.code == 0, outcome.diagnostics
    assert "service/rakazo-web" in life.k3s("kubectl", "--namespace=rakazo", "get", "services", "--output=name")
    outcome = life.server.stack.pulumi.run("preview", "--expect-no-changes", "--diff")
    assert outcome.code == 0, outcome.diagnostics


def test_the_line_can_go_when_the_cluster_is_back(life: Life) -> None:
    life.write(life.moved())
    plan = steps(life.server.stack.pulumi.must("preview", "--json"))
    life.write(life.moved(), restore=life.snapshot)
    touched = {name for names in plan.values() for name in names}
    assert {name for name in touched if not name.startswith(f"cluster-{NAME}-")} == AWAKENED, plan
