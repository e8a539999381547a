"""A release of Helm on a cluster that does not exist yet, as the first preview of a stack with Kata meets it.

What Helm then does in a cluster is not shown here: the chart lies in a registry that no test reaches.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deployments import steps
from tests.engine.small_program import SmallProgram
from tests.providers.server import ProviderServer
from tests.providers.tls import TlsPackage

PROGRAM = """
    import pulumi
    import pulumi_kubernetes as kubernetes
    import pulumi_tls as tls

    from components.contracts import OwnNodes
    from components.runtimes.kata import Kata, KataArgs
    from stacks.runtime import KataRuntime

    made = tls.PrivateKey("made", algorithm="ED25519")
    provider = kubernetes.Provider("cluster", kubeconfig=made.private_key_openssh, cluster_identifier="test")
    nodes = OwnNodes(distribution="k3s", computers=("m1",))
    args = KataArgs(application_namespace="rakazo", settings=KataRuntime(kind="kata"), nodes=nodes)
    Kata("kata", args, pulumi.ResourceOptions(provider=provider))
"""
"""The key stands for a kubeconfig: both are known only when something else has been made."""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[SmallProgram]:
    with ProviderServer([TlsPackage()]) as server:
        made = SmallProgram(folder=tmp_path, environment=server.environment)
        made.init()
        yield made
        assert server.faults == []


def test_the_first_preview_needs_neither_the_cluster_nor_the_chart(program: SmallProgram) -> None:
    """B005: nobody is asked, and whatever kubeconfig the shell has is not taken for the cluster's."""
    program.write(PROGRAM)
    plan = steps(program.must("preview", "--json"))
    assert sorted(plan) == ["create"]
    assert {"kata", "kata-deploy"} <= set(plan["create"])
