"""Computers against a Kubernetes API of our own: fields, verbs, files, restore, refusals.

It cannot prove that a real API server accepts any of it; the isolation tier does.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest

from local.images.app.standin import pod
from local.images.app.standin.computers import Computers, NoComputerError
from local.images.app.standin.desktop import computer_name
from local.images.app.standin.kubernetes import Kubernetes, KubernetesError
from local.images.app.standin.pod_computers import PodComputers
from local.images.app.standin.sandbox_settings import KubernetesSandbox
from local.images.app.standin.workspaces import Workspaces

from .fake_kubernetes import FakeKubernetes
from .fake_pool import FakePool
from .loopback import serving

BARE = KubernetesSandbox("sandboxes", "computer@sha256:0", None, None, None, command_timeout=5)
FULL = KubernetesSandbox("sandboxes", "computer@sha256:0", "rakazo-gvisor", "2", "4Gi", command_timeout=5)
NAME = "rakazo-bot-b1"


@contextlib.asynccontextmanager
async def deployment(folder: Path) -> AsyncIterator[tuple[Computers, FakeKubernetes, Kubernetes]]:
    (folder / "pods").mkdir()
    (folder / "token").write_text("invented\n")
    fake = FakeKubernetes(folder / "pods")
    async with serving(fake.application()) as address, aiohttp.ClientSession() as session:
        kubernetes = Kubernetes(session, address, "sandboxes", folder)
        provider = PodComputers(kubernetes, BARE, Workspaces(folder / "data"))
        yield Computers(FakePool(), provider), fake, kubernetes


def with_deployment(folder: Path, test: Callable[[Computers, FakeKubernetes, Kubernetes], Awaitable[None]]) -> None:
    async def run() -> None:
        async with deployment(folder) as parts:
            await test(*parts)

    asyncio.run(run())


def test_a_bare_pod_has_exactly_the_documented_fields() -> None:
    """B128: a runtime class that is not set is absent, not null."""
    assert pod.manifest(NAME, BARE) == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": NAME},
        "spec": {
            "automountServiceAccountToken": False,
            "containers": [
                {
                    "name": "computer",
                    "image": "computer@sha256:0",
                    "securityContext": {
                        "allowPrivilegeEscalation": False,
                        "capabilities": {"drop": ["ALL"]},
                        "seccompProfile": {"type": "RuntimeDefault"},
                    },
                }
            ],
        },
    }


def test_limits_and_runtime_class_are_all_that_settings_add() -> None:
    bare, full = pod.manifest(NAME, BARE)["spec"], pod.manifest(NAME, FULL)["spec"]
    assert full.pop("runtimeClassName") == "rakazo-gvisor"
    assert full["containers"][0].pop("resources") == {"limits": {"cpu": "2", "memory": "4Gi"}}
    assert full == bare


def test_a_bot_id_that_is_no_label_becomes_a_valid_name() -> None:
    assert computer_name("b1") == NAME
    for bot in ("../../etc", "Upper", "x" * 41, "a_b", "-a"):
        assert len(computer_name(bot)) == len("rakazo-bot-") + 40
        assert computer_name(bot).removeprefix("rakazo-bot-").isalnum()


def test_a_home_is_saved_on_delete_and_restored_into_the_next_computer(tmp_path: Path) -> None:
    """B103 and B117: exec by GET over v5, stdin closed while the output stays open, nothing truncated."""
    large = bytes(range(256)) * 4096

    async def test(computers: Computers, fake: FakeKubernetes, _: Kubernetes) -> None:
        first = await computers.ensure("b1")
        await computers.provider.write(NAME, "notes/a.bin", large)
        assert await computers.remove(NAME) == 1
        assert fake.pods == {}
        second = await computers.ensure("b1")
        assert (first.restored, second.restored) == (False, True)
        assert (first.generation, second.generation) == (1, 2), "screens of the first must end"
        assert await computers.provider.read(NAME, "notes/a.bin") == large
        assert set(fake.calls) == {"create pods", "get pods", "delete pods", "get pods/exec"}

    with_deployment(tmp_path, test)


def test_a_running_computer_is_used_and_not_created_again(tmp_path: Path) -> None:
    async def test(computers: Computers, fake: FakeKubernetes, _: Kubernetes) -> None:
        await computers.ensure("b1")
        again = await computers.ensure("b1")
        assert fake.calls.count("create pods") == 1
        assert again.generation == 1

    with_deployment(tmp_path, test)


def test_a_vanished_pod_is_reported_and_replaced_from_the_last_save(tmp_path: Path) -> None:
    """B119: what was written since the last save is gone, the rest comes back."""

    async def test(computers: Computers, fake: FakeKubernetes, kubernetes: Kubernetes) -> None:
        computer = await computers.ensure("b1")
        await computers.execute(NAME, ["sh", "-c", "echo kept > a"])
        await computers.checkpoint(computer)
        await computers.execute(NAME, ["sh", "-c", "echo lost > b"])
        await kubernetes.delete(NAME)
        with pytest.raises(NoComputerError, match="is lost"):
            await computers.find(NAME)
        await computers.ensure("b1")
        assert (await computers.execute(NAME, ["ls"])).stdout == b"a\n"

    with_deployment(tmp_path, test)


def test_a_failed_restore_leaves_no_empty_computer_behind(tmp_path: Path) -> None:
    """B129: an empty one would be saved over the home, and nobody could find it."""

    async def test(computers: Computers, fake: FakeKubernetes, _: Kubernetes) -> None:
        await computers.ensure("b1")
        await computers.execute(NAME, ["touch", "a"])
        await computers.remove(NAME)
        fake.protocols = ("v4.channel.k8s.io",)
        with pytest.raises(KubernetesError, match="cannot close stdin"):
            await computers.ensure("b1")
        assert fake.pods == {}

    with_deployment(tmp_path, test)


def test_what_the_api_server_refuses_is_passed_on_in_its_words(tmp_path: Path) -> None:
    async def test(computers: Computers, fake: FakeKubernetes, _: Kubernetes) -> None:
        fake.refusal = (403, "exceeded quota: computers")
        with pytest.raises(KubernetesError, match="exceeded quota: computers") as error:
            await computers.ensure("b1")
        assert error.value.status == 403

    with_deployment(tmp_path, test)


def test_exit_codes_streams_and_impossible_commands_are_told_apart(tmp_path: Path) -> None:
    async def test(computers: Computers, _fake: FakeKubernetes, kubernetes: Kubernetes) -> None:
        await computers.ensure("b1")
        done = await computers.execute(NAME, ["sh", "-c", "echo out; echo err >&2; exit 7"])
        assert (done.exit_code, done.stdout, done.stderr) == (7, b"out\n", b"err\n")
        with pytest.raises(KubernetesError, match="exec failed"):
            await computers.execute(NAME, ["no-such-program"])
        with pytest.raises(KubernetesError, match=r"ran longer than 0\.2 s"):
            await kubernetes.execute(NAME, ["sleep", "0.6"], timeout=0.2)

    with_deployment(tmp_path, test)


def test_already_exists_and_not_found_are_tolerated(tmp_path: Path) -> None:
    async def test(_computers: Computers, _fake: FakeKubernetes, kubernetes: Kubernetes) -> None:
        assert await kubernetes.create(pod.manifest(NAME, BARE)) is True
        assert await kubernetes.create(pod.manifest(NAME, BARE)) is False
        await kubernetes.delete(NAME)
        await kubernetes.delete(NAME)
        assert await kubernetes.get(NAME) is None

    with_deployment(tmp_path, test)


def test_a_pod_that_is_not_ready_explains_itself() -> None:
    waiting = {"reason": "ImagePullBackOff", "message": "no such image"}
    status = {
        "phase": "Pending",
        "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/2"}],
        "containerStatuses": [{"name": "computer", "state": {"waiting": waiting}}],
    }
    assert not pod.is_ready({"status": status})
    assert pod.explanation({"status": status}) == (
        "phase Pending; PodScheduled=False Unschedulable 0/2; computer waiting ImagePullBackOff no such image"
    )
