"""Rakazo as a person uses it: health, files, jobs, restarts; the application is a stand-in with the real contract."""

import hashlib
import os
import time
from typing import Any

import requests
from kubernetes import client

from tests.deployments import Deployed
from tests.isolation.conftest import Computer


def finished(deployed: Deployed, job: str, seconds: float = 90.0) -> dict[str, Any]:
    """Wait for a job to end."""
    deadline = time.monotonic() + seconds
    while True:
        state = deployed.rakazo.job(job)
        if state["state"] in ("done", "failed"):
            return state
        assert time.monotonic() < deadline, state
        time.sleep(0.3)


def test_health_through_the_way_in_is_the_apis_own(deployed: Deployed) -> None:
    """B120, B121: web answers 200 to everything; this is JSON and says kubernetes."""
    health = deployed.rakazo.health()
    assert health["ok"] is True
    assert health["sandbox"] == "kubernetes"


def test_the_internal_route_is_closed_at_the_way_in(deployed: Deployed) -> None:
    """Web forwards all of /api, so the way in has to refuse what only web may call."""
    answer = requests.post(f"{deployed.url}/api/internal/screen-target", json={}, timeout=10)
    assert answer.status_code == 403


def test_a_file_survives_its_computer(deployed: Deployed) -> None:
    """The workspace is saved on delete and restored into the bot's next computer (B117: content is equal)."""
    content = os.urandom(2 << 20)
    rakazo = deployed.rakazo
    first = str(rakazo.create("keeper")["name"])
    rakazo.write(first, "notes/kept.bin", content)
    rakazo.delete(first)
    second = str(rakazo.create("keeper")["name"])
    try:
        assert hashlib.sha256(rakazo.read(second, "notes/kept.bin")).digest() == hashlib.sha256(content).digest()
    finally:
        rakazo.delete(second)


def test_the_worker_takes_a_job_and_the_api_reads_its_result(deployed: Deployed, computer: Computer) -> None:
    """B105: worker and api share one DATA_DIR; a result written by one is read by the other."""
    done = finished(deployed, deployed.rakazo.start_job("isolation", ["echo", "made by the worker"]))
    assert done["state"] == "done", done
    assert "made by the worker" in done["result"]["stdout"]


def test_the_database_outlives_its_pod(deployed: Deployed, computer: Computer) -> None:
    """B106, B107, B113: data lies on the volume, and api is not restarted by a database that is away."""
    job = deployed.rakazo.start_job("isolation", ["true"])
    finished(deployed, job)
    core = client.CoreV1Api(deployed.api)
    api_pod = deployed.pod_of("api")
    deployed.pods(deployed.application).delete(deployed.pod_of("postgres"), seconds=150)
    deadline = time.monotonic() + 120
    while True:
        try:
            assert deployed.rakazo.job(job)["state"] == "done"
            break
        except Exception:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)
    pod = core.read_namespaced_pod(api_pod, deployed.application)
    assert pod.status.container_statuses[0].restart_count == 0


LET_IN_SECONDS = 60.0
DATABASE = """
import asyncio, asyncpg, os, sys
async def main():
    connection = await asyncpg.connect(os.environ["DATABASE_URL"], timeout=10)
    try:
        print(await connection.fetchval(sys.argv[1]))
    except asyncpg.PostgresError as error:
        print(type(error).__name__)
asyncio.run(main())
"""
"""Runs one statement with the application's login and prints its value, or the class of the refusal."""


def test_the_applications_login_reads_and_cannot_create_a_table(deployed: Deployed) -> None:
    """Only migrate holds the owner's login; what api and worker hold is tried on the database itself."""
    pods = deployed.pods(deployed.application)

    def said(component: str, statement: str) -> str:
        ran = pods.execute(deployed.pod_of(component), ["python3", "-c", DATABASE, statement])
        return ran.output.strip()

    for component in ("api", "worker"):
        # A test before this one made the database's pod anew, and policies learn its address within a second or so.
        deadline = time.monotonic() + LET_IN_SECONDS
        while not (answer := said(component, "SELECT count(*) FROM computer")).isdigit():
            assert time.monotonic() < deadline, answer
        assert said(component, "CREATE TABLE made_by_a_test (id int)") == "InsufficientPrivilegeError"
        assert said(component, "CREATE SCHEMA made_by_a_test") == "InsufficientPrivilegeError"
    environment = pods.execute(deployed.pod_of("web"), ["env"]).output
    assert "DATABASE" not in environment
    assert "POSTGRES" not in environment


def test_no_pod_restarted_while_the_tier_ran(deployed: Deployed) -> None:
    """B077: default-deny did not break the kubelet's probes."""
    pods = client.CoreV1Api(deployed.api).list_namespaced_pod(deployed.application).items
    restarts = {
        pod.metadata.name: (status.restart_count, str(status.last_state.terminated))
        for pod in pods
        for status in pod.status.container_statuses or []
        if status.restart_count
    }
    assert restarts == {}
