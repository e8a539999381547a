"""The migration: one Job per release, and nobody else who changes the schema."""

import socket
import subprocess
import threading

import pytest

from components.kubernetes import workload
from tests.unit.example import deployed, example, pod_of, variables_of
from tests.unit.recorder import Recorder, Registered

DIGEST = "ab" * 32
COMPONENT = "app.kubernetes.io/component"


def job_of(recorder: Recorder) -> Registered:
    (found,) = [job for job in recorder.of_kind("Job") if job.metadata["labels"][COMPONENT] == "migrate"]
    return found


def test_one_job_is_named_after_the_image_s_digest() -> None:
    """B109: a new release is a new Job, the same release none."""
    assert job_of(example()).metadata["name"] == "rakazo-migrate-000000000000"
    assert job_of(deployed(images__app=f"app@sha256:{DIGEST}")).metadata["name"] == "rakazo-migrate-abababababab"


def test_it_runs_once_at_a_time_and_a_failed_one_is_made_anew() -> None:
    """B109: two would wait for each other's locks."""
    job = job_of(example())

    assert (job.inputs["spec"]["parallelism"], job.inputs["spec"]["completions"]) == (1, 1)
    assert job.delete_before_replace
    assert job.metadata["annotations"] == {"pulumi.com/replaceUnready": "true"}


def test_a_failed_pod_and_its_log_stay() -> None:
    assert pod_of(example(), "migrate")["restartPolicy"] == "Never"


def test_it_gives_up_and_says_so() -> None:
    spec = job_of(example()).inputs["spec"]
    assert (spec["backoffLimit"], spec["activeDeadlineSeconds"]) == (3, 1800)


def test_it_runs_the_migration_itself() -> None:
    (container,) = pod_of(example(), "migrate")["containers"]

    assert container["command"] == ["node", "node_modules/prisma/build/index.js", "migrate", "deploy"]
    assert container["workingDir"] == "/app/packages/db"


def test_no_other_pod_migrates() -> None:
    """B109: api's published start command does, in every replica."""
    for component in ("api", "worker", "web"):
        pod = pod_of(example(), component)
        commands = [
            word for container in [*pod["containers"], *pod.get("initContainers", [])] for word in container["command"]
        ]
        assert not any("migrate" in word or "prisma" in word for word in commands)
        assert "DATABASE_MIGRATION_URL" not in variables_of(example(), component)


def test_migrate_alone_holds_the_owner_s_login() -> None:
    assert variables_of(example(), "migrate") == {
        "NODE_ENV": "production",
        "DATABASE_MIGRATION_URL": ("rakazo-migrate", "DATABASE_MIGRATION_URL"),
        "POSTGRES_APP_PASSWORD": ("rakazo-migrate", "POSTGRES_APP_PASSWORD"),
    }


def waiting(port: int) -> list[str]:
    """The program before the migration, as the pod runs it, for a database on this machine."""
    (container,) = pod_of(example(), "migrate")["initContainers"]
    return [word.replace("rakazo-postgres/5432", f"127.0.0.1/{port}") for word in container["command"]]


def test_it_begins_when_the_database_lets_it_through() -> None:
    """A new pod's address is in no policy yet, and a second try in another pod would begin anew."""
    with socket.socket() as late:
        late.bind(("127.0.0.1", 0))
        timer = threading.Timer(0.5, late.listen)
        timer.start()
        done = subprocess.run(waiting(late.getsockname()[1]), timeout=20, check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert not timer.is_alive()


def test_a_database_that_never_lets_it_through_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workload, "AWAITED_SECONDS", 0)
    (container,) = pod_of(deployed(), "migrate")["initContainers"]
    assert container["name"] == "rakazo-postgres-answers"
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        command = [
            word.replace("rakazo-postgres/5432", f"127.0.0.1/{closed.getsockname()[1]}")
            for word in container["command"]
        ]
        done = subprocess.run(command, timeout=20, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "rakazo-postgres:5432 took no connection for 0 s" in done.stderr
