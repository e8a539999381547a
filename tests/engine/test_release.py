"""Another release of Rakazo on a cluster: what ends before its migration, and what never ends for nothing."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from kubernetes import client
from rich.console import Console

from local import images
from local.cluster import ClusterFolder, addresses
from local.cluster.images import bring
from local.images.archive import ImageArchive
from local.stack.deployment import Deployment
from local.stack.kubernetes_client import api_client
from local.stack.rakazo_client import RakazoClient
from probes.pods import Pods
from tests.clusters import EmbeddedCluster
from tests.deployments import deployment, steps
from tests.later_release import MENDED, fails_halfway, for_node, later

pytestmark = pytest.mark.timeout(600)

APPLICATION = "release"
CHANGES = {"application.namespace": APPLICATION, "application.computers_namespace": "release-computers"}
COMPONENT = "app.kubernetes.io/component"
CONSOLE = Console(stderr=True)
MARK = "/data/of-the-first-release"
OLD_CODE = {"api", "worker", "web"}
UNKNOWN = "localhost/rakazo-stand-in/app@sha256:" + "0" * 64


@dataclass(frozen=True, kw_only=True)
class Look:
    """What the application's namespace held at one moment."""

    pods: frozenset[tuple[str, str]]
    """Component and image of each pod that has not run to its end."""
    open: bool
    """Whether people came in."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The stack, and the first release."""

    made: Deployment

    @property
    def core(self) -> client.CoreV1Api:
        return client.CoreV1Api(api_client(self.made.folder.kubeconfig))

    @property
    def pods(self) -> Pods:
        return Pods(api_client(self.made.folder.kubeconfig), APPLICATION)

    @property
    def first(self) -> str:
        return self.made.images["app"]

    def with_app(self, image: str) -> Deployment:
        """Return the stack with another image of the application."""
        return replace(self.made, images={**self.made.images, "app": image})

    def name_of(self, component: str) -> str:
        (found,) = self._of(component)
        return str(found.metadata.name)

    def _of(self, component: str) -> list[client.V1Pod]:
        label = f"{COMPONENT}={component}"
        return list(self.core.list_namespaced_pod(APPLICATION, label_selector=label).items)

    def look(self) -> Look:
        services = self.core.list_namespaced_service(APPLICATION).items
        pods = self.core.list_namespaced_pod(APPLICATION).items
        return Look(
            open=any(service.spec.type == "NodePort" for service in services),
            pods=frozenset(
                (pod.metadata.labels[COMPONENT], pod.spec.containers[0].image)
                for pod in pods
                if pod.status.phase in ("Pending", "Running") and COMPONENT in pod.metadata.labels
            ),
        )

    @contextmanager
    def watched(self) -> Iterator[list[Look]]:
        """Look again and again, ten times in a second at most, until the block ends."""
        ended, looks = threading.Event(), list[Look]()

        def watch() -> None:
            while not ended.wait(0.1):
                looks.append(self.look())

        with ThreadPoolExecutor(max_workers=1) as pool:
            watching = pool.submit(watch)
            try:
                yield looks
            finally:
                ended.set()
            watching.result()


@pytest.fixture(scope="module")
def setting(cluster: EmbeddedCluster) -> Iterator[Setting]:
    """The first release, proven and open, with a file of its own on the volume."""
    made = deployment(cluster.name, stack="release", changes=CHANGES)
    found = Setting(made=made)
    try:
        assert "claims proven" in made.prepare().must("up", "--yes", "--skip-preview")
        found.pods.execute(found.name_of("api"), ["sh", "-c", f"echo kept > {MARK}"])
        yield found
    finally:
        made.prepare().run("destroy", "--yes", "--skip-preview")


def on_its_node(image: ImageArchive, cluster: EmbeddedCluster) -> str:
    """Bring an image to the node on which the first release runs, and return its reference."""
    packed = for_node(image)
    bring(ClusterFolder(cluster.name).machine(addresses.SYSTEM.name), ("app",), {"app": packed})
    return packed.reference


def first_image() -> ImageArchive:
    return images.ensure(CONSOLE, ["app"])["app"]


def test_old_code_never_meets_a_new_schema_and_nobody_comes_in_meanwhile(
    cluster: EmbeddedCluster, setting: Setting, tmp_path: Path
) -> None:
    """B109, B127: some releases rename columns."""
    image = on_its_node(later(first_image(), tmp_path, "later"), cluster)
    changed = setting.with_app(image)
    plan = steps(changed.prepare().must("preview", "--json"))
    assert {"rakazo-migrate", "rakazo-api", "rakazo-worker", "rakazo-web", "proof"} <= set(plan["replace"])
    with setting.watched() as looks:
        outcome = changed.up()
    assert outcome.code == 0, outcome.output
    migrating = [look for look in looks if ("migrate", image) in look.pods]
    assert migrating, "the migration was not seen"
    for look in migrating:
        assert not {(component, setting.first) for component in OLD_CODE} & look.pods
        assert not look.open
    pulling = [look for look in looks if ("prepull", image) in look.pods]
    assert pulling, "the image was not brought first"
    for look in pulling:
        assert {(component, setting.first) for component in OLD_CODE} <= look.pods
        assert look.open
    assert setting.pods.execute(setting.name_of("api"), ["cat", MARK]).output == "kept\n"
    assert RakazoClient(cluster.url).wait_healthy()["ok"] is True
    assert changed.prepare().run("preview", "--expect-no-changes").code == 0


def test_an_image_that_cannot_be_had_stops_nothing(cluster: EmbeddedCluster, setting: Setting) -> None:
    before = setting.look()
    jobs = client.BatchV1Api(api_client(setting.made.folder.kubeconfig))

    def give_up(looks: list[Look]) -> None:
        """Let the deadline be over, once the node has said that there is no such image."""
        while ("prepull", UNKNOWN) not in (looks[-1].pods if looks else ()):
            threading.Event().wait(0.2)
        jobs.patch_namespaced_job(f"rakazo-prepull-{'0' * 12}", APPLICATION, {"spec": {"activeDeadlineSeconds": 5}})

    with setting.watched() as looks, ThreadPoolExecutor(max_workers=1) as pool:
        ended = pool.submit(give_up, looks)
        outcome = setting.with_app(UNKNOWN).up()
        ended.result()
    assert outcome.code != 0
    assert "rakazo-prepull" in outcome.diagnostics
    for look in looks:
        assert look.pods >= before.pods
        assert look.open
    assert RakazoClient(cluster.url).wait_healthy()["ok"] is True


@pytest.mark.slow
def test_a_migration_that_fails_leaves_all_data_and_no_old_code(
    cluster: EmbeddedCluster, setting: Setting, tmp_path: Path
) -> None:
    """B109: the database takes no other migration until somebody has mended it, so nothing starts on it either."""
    image = on_its_node(fails_halfway(first_image(), tmp_path), cluster)
    outcome = setting.with_app(image).up()
    assert outcome.code != 0
    assert "rakazo-migrate" in outcome.diagnostics
    assert {component for component, _ in setting.look().pods} == {"postgres"}
    assert not setting.look().open
    setting.pods.execute(setting.name_of("postgres"), ["psql", "--username=rakazo", f"--command={MENDED}"])
    assert setting.made.up().code == 0
    assert setting.pods.execute(setting.name_of("api"), ["cat", MARK]).output == "kept\n"
    assert RakazoClient(cluster.url).wait_healthy()["ok"] is True
