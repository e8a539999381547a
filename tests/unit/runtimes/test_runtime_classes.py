"""What the RuntimeClasses ask of the nodes. That a pod then runs on gVisor is shown from inside one."""

from collections.abc import Callable
from functools import partial

import pytest

from components.contracts import Overhead, Sandbox
from components.runtimes.gvisor import Gvisor, GvisorArgs
from components.runtimes.managed import Managed, ManagedArgs
from components.runtimes.runc import Runc, RuncArgs
from stacks.runtime import GvisorRuntime, OverheadSettings, RuncRuntime, Toleration
from tests.unit.recorder import record

GVISOR = GvisorRuntime(kind="gvisor", overhead=OverheadSettings(cpu="50m", memory="64Mi"))
RUNC = RuncRuntime(kind="runc")


def gvisor(settings: GvisorRuntime = GVISOR, namespace: str = "rakazo") -> Sandbox:
    return Gvisor("runtime", GvisorArgs(application_namespace=namespace, settings=settings)).sandbox


def runc(settings: RuncRuntime = RUNC, namespace: str = "rakazo") -> Sandbox:
    return Runc("runtime", RuncArgs(application_namespace=namespace, settings=settings)).sandbox


def test_gvisors_class_names_its_handler_and_what_it_costs() -> None:
    """B064: the scheduler and the quota count what the class says, so it has to say it."""
    found = record(gvisor).only("RuntimeClass", name="rakazo-gvisor").inputs
    assert found["handler"] == "runsc"
    assert found["overhead"] == {"podFixed": {"cpu": "50m", "memory": "64Mi"}}


@pytest.mark.parametrize("declare", [gvisor, runc], ids=["gvisor", "runc"])
def test_a_plain_pod_is_placed_by_its_class(declare: Callable[[], Sandbox]) -> None:
    """B047: Rakazo writes neither node selectors nor tolerations, so only the class can."""
    assert record(declare).only("RuntimeClass").inputs["scheduling"] == {
        "nodeSelector": {"rakazo-infra/pool": "computers"},
        "tolerations": [
            {"key": "rakazo-infra/pool", "operator": "Equal", "value": "computers", "effect": "NoSchedule"}
        ],
    }


def test_without_a_sandbox_the_class_still_exists_and_costs_nothing() -> None:
    found = record(runc).only("RuntimeClass", name="rakazo-runc").inputs
    assert found["handler"] == "runc"
    assert "overhead" not in found


def test_a_nodes_own_handler_and_taints_are_settings() -> None:
    settings = GvisorRuntime(
        kind="gvisor",
        handler="gvisor",
        node_selector={"pool": "bots"},
        tolerations=(Toleration(key="bots", value="only", effect="NoExecute"),),
    )
    found: list[Sandbox] = []
    inputs = record(lambda: found.append(gvisor(settings))).only("RuntimeClass").inputs
    assert inputs["handler"] == "gvisor"
    assert inputs["scheduling"]["nodeSelector"] == {"pool": "bots"}
    assert inputs["scheduling"]["tolerations"] == [
        {"key": "bots", "operator": "Equal", "value": "only", "effect": "NoExecute"}
    ]
    assert found[0].node_labels == (("pool", "bots"),)
    assert found[0].taints == ("bots",)


def test_the_contract_carries_plain_names_and_the_class_to_wait_for() -> None:
    """B047: the name given to Rakazo is the name of the class that was made."""
    found: list[Sandbox] = []
    recorded = record(lambda: found.extend([gvisor()]))
    assert found[0].runtime_class == recorded.only("RuntimeClass").metadata["name"]
    assert found[0].overhead == Overhead(cpu="50m", memory="64Mi")


@pytest.mark.parametrize("declare", [gvisor, runc], ids=["gvisor", "runc"])
def test_two_stacks_on_one_cluster_have_classes_of_their_own(declare: Callable[..., Sandbox]) -> None:
    """B037: cluster-wide names carry the application's namespace."""
    names = {
        record(partial(declare, namespace=space)).only("RuntimeClass").metadata["name"]
        for space in ("rakazo", "rakazo-staging")
    }
    assert len(names) == 2


def test_a_class_of_the_cloud_is_used_and_not_made() -> None:
    """B049: a second RuntimeClass of GKE Sandbox's name would be a fight with Google."""
    found: list[Sandbox] = []
    recorded = record(lambda: found.append(Managed("runtime", ManagedArgs(settings=GVISOR)).sandbox))
    assert recorded.of_kind("RuntimeClass") == []
    assert (found[0].runtime, found[0].runtime_class) == ("gvisor", "gvisor")
    assert found[0].node_labels == (("sandbox.gke.io/runtime", "gvisor"),)
    assert found[0].taints == ("sandbox.gke.io/runtime",)


def test_labels_that_nodes_get_later_are_part_of_the_class_and_of_the_contract() -> None:
    found: list[Sandbox] = []
    args = GvisorArgs(application_namespace="rakazo", settings=GVISOR, node_labels={"proven": "yes"})
    recorded = record(lambda: found.append(Gvisor("runtime", args).sandbox))
    assert recorded.only("RuntimeClass").inputs["scheduling"]["nodeSelector"] == {
        "rakazo-infra/pool": "computers",
        "proven": "yes",
    }
    assert found[0].node_labels == (("proven", "yes"), ("rakazo-infra/pool", "computers"))
