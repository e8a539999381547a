"""One deployed Rakazo for the whole tier, and pods on every side of its policies."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from kubernetes import client

from probes.pods import Pods
from tests.clusters import EmbeddedCluster
from tests.deployments import Deployed, deployment
from tests.rakazo_account import as_computer

MAXIMUM = 30
"""Computers of this deployment: more than all that one test starts beside those of the session."""

OUTSIDER = "outsider"
"""A namespace that is nobody's: its pods are selected by no policy, so they are the control of every claim."""


@pytest.fixture(scope="session")
def deployed(cluster: EmbeddedCluster) -> Deployed:
    """Rakazo as `Pulumi.local.yaml` says, with the small computer."""
    made = deployment(cluster.name, changes={"computers.maximum": MAXIMUM})
    outcome = made.up()
    assert outcome.code == 0, outcome.diagnostics
    up = Deployed(deployment=made, url=cluster.url, application="rakazo", computers="rakazo-sandboxes")
    up.rakazo.wait_healthy()
    return up


@dataclass(frozen=True, kw_only=True)
class Computer:
    """A computer that the application made."""

    name: str
    address: str
    """Its pod's IPv4 address."""


@pytest.fixture(scope="session")
def computer(deployed: Deployed) -> Iterator[Computer]:
    """One computer, made by the application."""
    name = str(deployed.rakazo.create("isolation")["name"])
    yield Computer(name=name, address=deployed.pods(deployed.computers).address(name))
    deployed.rakazo.delete(name)


@pytest.fixture(scope="session")
def outsiders(deployed: Deployed) -> Iterator[Pods]:
    """The namespace without policies."""
    core = client.CoreV1Api(deployed.api)
    core.create_namespace({"metadata": {"name": OUTSIDER}})
    yield deployed.pods(OUTSIDER)
    core.delete_namespace(OUTSIDER)


@pytest.fixture(scope="session")
def control(deployed: Deployed, outsiders: Pods) -> str:
    """A pod that no policy selects, on the computers' pool under the same runtime as a computer."""
    outsiders.start(as_computer("control", deployed))
    return "control"
