"""What a machine is given, and that each step looks again for its own changes alone."""

from typing import Any

import pytest

from components.docker.delivery import STEPS, deliver
from components.docker.engine import render_containerd, render_service, render_socket
from components.docker.plan import DockerPlan
from components.docker.unit import render_unit
from stacks.docker_computers import DockerComputers
from stacks.target.docker import DockerSettings

KNOWN: dict[str, Any] = {
    "stack": "test",
    "machine": "rakazo-1",
    "is_new": False,
    "docker": DockerSettings(version="28.5.2", sha256="a" * 64, compose_version="5.5.1", compose_sha256="b" * 64),
    "computers": DockerComputers(kind="docker"),
    "cores": 2,
    "images": ["app@sha256:1"],
    "release": "app@sha256:1",
    "compose": "name: rakazo\n",
    "isolation": "first",
    "entry": "services: {}\n",
    "supervisor_range": "10.189.0.0/28",
    "denied": ["10.0.0.0/8"],
}


def versions(**changes: Any) -> dict[str, str]:
    return dict(deliver(DockerPlan(**{**KNOWN, **changes})).versions)


def settings(**changes: Any) -> DockerSettings:
    return DockerSettings.model_validate({**KNOWN["docker"].model_dump(), **changes})


@pytest.mark.parametrize(
    ("changes", "again"),
    [
        ({}, set()),
        ({"compose": "name: rakazo # another\n"}, {"project"}),
        ({"computers": DockerComputers(kind="docker", maximum=8)}, {"examine"}),
        ({"images": ["app@sha256:1", "computer@sha256:2"]}, {"pull"}),
        ({"release": "app@sha256:2", "images": ["app@sha256:2"]}, {"pull", "project"}),
        ({"isolation": "second"}, {"project"}),
        ({"entry": "services: {web: {}}\n"}, {"open"}),
        ({"denied": ["10.0.0.0/8", "fd00::/8"]}, {"fence"}),
        ({"docker": settings(version="29.0.0")}, {"engine"}),
        ({"docker": settings(compose_version="5.6.0")}, {"engine"}),
        ({"docker": settings(mirror="https://mirror.test")}, {"examine", "engine"}),
        ({"machine": "rakazo-2"}, set(STEPS)),
    ],
)
def test_a_step_looks_again_for_its_own_changes_and_for_no_other(changes: dict[str, Any], again: set[str]) -> None:
    before, after = versions(), versions(**changes)
    assert {step for step in STEPS if before[step] != after[step]} == again


def test_every_file_that_a_script_reads_is_delivered() -> None:
    files = {file.path: file for file in deliver(DockerPlan(**KNOWN)).files}
    for name, file in files.items():
        if file.mode != "755" or not file.content.startswith("#!/bin/sh"):
            continue
        for line in file.content.splitlines():
            if line.startswith("for part in "):
                parts = line.removeprefix("for part in ").removesuffix("; do").split()
                assert [part for part in parts if part not in files] == [], name


def test_nothing_of_it_is_run_that_is_only_read() -> None:
    files = {file.path: file.mode for file in deliver(DockerPlan(**KNOWN)).files}
    assert {files[name] for name in ("report", "place", "adoption", "back", "compose", "pool")} == {"644"}
    assert {files[name] for name in (*STEPS, "close", "start", "stop", "remove")} == {"755"}


def test_a_restart_of_docker_ends_no_container_and_no_socket() -> None:
    """The supervisor holds the socket open: another file of that name would be a dead end for it."""
    assert "KillMode=process" in render_service()
    assert "--host=fd://" in render_service()
    assert "ListenStream=/run/docker.sock" in render_socket()
    assert "SocketMode=0600" in render_socket()


def test_docker_never_takes_the_containerd_that_somebody_else_installs() -> None:
    """Left to itself it does at its next start, and starts every container that runs a second time."""
    service, containerd = render_service(), render_containerd()
    assert "--containerd=/run/docker/containerd/containerd.sock" in service
    for key in ("Wants", "After"):
        assert any(line.startswith(f"{key}=") and "rakazo-containerd.service" in line for line in service.splitlines())
    assert "KillMode=process" in containerd
    assert "--config /etc/docker/rakazo-containerd.toml" in containerd, "not the machine's own configuration"


def test_rakazo_starts_behind_its_rules_and_does_not_stop_with_docker() -> None:
    unit = render_unit()
    assert "After=docker.service rakazo-egress.service" in unit
    assert "ExecStartPre=/usr/local/sbin/rakazo-egress keep" in unit, "after a look alone it would stay down"
    assert [word for word in ("PartOf", "Requires", "BindsTo") if word in unit] == []
