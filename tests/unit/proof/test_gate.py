"""Where the gate stands in the graph. The recording engine runs no hooks: that they hold is the engine tier's."""

import asyncio
from typing import Any

import pulumi
import pytest

from components.contracts import Access
from components.proof import gate as gates
from components.proof.facts import installed_runtime
from components.proof.verdict import Verdict, unchecked
from probes.facts import Facts
from stacks.settings import StackSettings
from tests.unit.example import deployed, example
from tests.unit.probes.example import facts
from tests.unit.recorder import Recorder, Registered
from tests.unit.stacks import server_stack


def gate(recorder: Recorder) -> Registered:
    return recorder.only("ConfigMap", name="rakazo-isolation")


def data(**changes: Any) -> dict[str, Any]:
    inputs: dict[str, Any] = gate(deployed(**changes)).inputs["data"]
    return inputs


def test_it_proves_before_it_exists_and_is_replaced_as_a_whole() -> None:
    """An update in place would leave the way in open while the new state is unproven."""
    found = gate(example())
    assert "before_create:proof-prove" in found.hooks
    assert found.inputs["immutable"] is True
    assert found.delete_before_replace


def test_the_way_in_hangs_on_it_and_it_on_the_application() -> None:
    recorder = example()
    (ways_in,) = [[s for s in recorder.of_kind("Service") if s.inputs["spec"]["type"] == "NodePort"]]
    assert len(ways_in) == 2
    assert [way.name for way in ways_in if gate(recorder).urn not in way.dependencies] == []
    webs = [item for item in recorder.of_kind("Deployment") if item.metadata["name"] == "rakazo-web"]
    assert {item.urn for item in webs} <= gate(recorder).dependencies


def test_whatever_isolation_depends_on_makes_it_run_again() -> None:
    """A release, a policy, a limit, a quota, a version: each changes what the gate's object holds."""
    before = gate(example()).inputs["data"]
    changes: dict[str, dict[str, Any]] = {
        "the release": {"images__computer": f"localhost/rakazo-stand-in/computer@sha256:{'1' * 64}"},
        "the app's release": {"images__app": f"localhost/rakazo-stand-in/app@sha256:{'1' * 64}"},
        "the runtime": {"runtime": {"kind": "runc"}},
        "the handler": {"runtime": {"kind": "gvisor", "handler": "gvisor-next"}},
        "a policy": {"target__network__nodes": ["10.10.0.0/24", "10.11.0.0/24"]},
        "the screens": {"computers__last_screen_port": 6150},
        "the quota": {"computers__maximum": 11},
        "the limits": {"computers__memory": "3Gi"},
        "the version": {"target__kubernetes_version": "1.35"},
        "the gate itself": {"proof__gate": "report"},
    }
    same = [what for what, change in changes.items() if data(**change) == before]
    assert same == []


RELEASE = {"release": "20261116.0", "sha512": "0" * 128}


@pytest.mark.parametrize(
    "change",
    [{"release": "20261123.0"}, {"sha512": "1" * 128}, {"platform": "kvm"}],
    ids=lambda change: next(iter(change)),
)
def test_another_release_of_gvisor_makes_it_run_again(change: dict[str, str]) -> None:
    """Neither the RuntimeClass nor a claim knows which one it is."""
    assert data(target__gvisor=RELEASE | change) != data(target__gvisor=RELEASE)


def test_the_same_gvisor_from_a_mirror_does_not() -> None:
    mirrored = RELEASE | {"mirror": "https://mirror.example.com/gvisor"}
    assert data(target__gvisor=mirrored) == data(target__gvisor=RELEASE)


def test_another_release_of_kata_makes_it_run_again() -> None:
    def told(**chart: Any) -> str:
        document = server_stack.document() | {"runtime": {"kind": "kata", "chart": chart}}
        return installed_runtime(StackSettings.model_validate(document))

    assert told() == told(images={"kubectl": "registry.example.com/kubectl:1"})
    for change in (
        {"version": "4.2.0"},
        {"repository": "oci://registry.example.com/kata"},
        {"images": {"installer": "registry.example.com/kata-deploy:4.2.0"}},
    ):
        assert told(**change) != told()


def test_what_opens_and_closes_nothing_does_not() -> None:
    """Another web, another address that may sign up, a rotated secret: nobody waits a minute for these."""
    before = gate(example()).inputs["data"]
    assert data(application__web_replicas=3) == before
    assert data(application__signup_allowlist=["@example.org"]) == before
    rotated = deployed({"screen_proxy_secret": "fedcba9876543210" * 4})
    assert gate(rotated).inputs["data"] == before


def test_the_stack_says_whether_its_gate_is_enforced() -> None:
    from components.deployment import ISOLATION

    assert ISOLATION["report"].startswith("NOT ENFORCED")


async def prove(kubeconfig: str, known: Facts) -> str:
    """Run the hook with a kubeconfig that is an output, and return why it refuses."""
    access = Access(kubeconfig=pulumi.Output.secret(kubeconfig), context="one")
    prover = gates._prover(access, pulumi.Output.from_input(known), "enforce")
    try:
        await prover(pulumi.ResourceHookArgs("urn", "id", "proof", "type"))
    except gates.ClosedError as error:
        return str(error)
    return ""


def test_it_looks_through_the_kubeconfig_as_it_is_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """B009: a cluster that is made in the same run has none before; as an input it would be in the state."""
    seen: list[tuple[str, str, Facts]] = []

    def look(kubeconfig: str, context: str, known: Facts, _: object) -> Verdict:
        seen.append((kubeconfig, context, known))
        return unchecked("nobody is there")

    monkeypatch.setattr(gates, "look", look)
    assert "nobody is there" in asyncio.run(prove("the document", facts()))
    assert seen == [("the document", "one", facts())]


def test_a_way_that_is_not_known_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty kubeconfig would be taken for the path of one."""
    monkeypatch.setattr(gates, "look", lambda *_: pytest.fail("it looked without knowing where"))
    assert "the way to the cluster is not known" in asyncio.run(prove("", facts()))
