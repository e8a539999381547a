"""What the chart kata-deploy is told, against what release 4.1.0 of it takes. Limit: no test renders the real chart."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from components.contracts import OwnNodes
from components.runtimes.kata_chart import render_values
from stacks.kata import KataChart, KataImages, Shim
from stacks.runtime import KataRuntime

KATA = KataRuntime(kind="kata")
MACHINES = OwnNodes(distribution="k3s", computers=("m2", "m3"))
CLOUD = OwnNodes(distribution="k8s")
SCHEMA = Path(__file__).parents[2] / "charts" / "kata-deploy" / "values.schema.json"
"""What the chart takes, as far as it is used: that of the stand-in, which Helm compares with what a stack tells it."""


def strangers(values: Mapping[str, Any]) -> list[str]:
    """Return the place of every key that the chart does not know and of every value that is not of its kind."""
    schema = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    return sorted(f"{'.'.join(map(str, error.path))}: {error.message}" for error in schema.iter_errors(values))


@pytest.mark.parametrize("nodes", [MACHINES, CLOUD], ids=["machines", "cloud"])
@pytest.mark.parametrize("shim", get_args(Shim))
def test_the_chart_knows_every_key(shim: Any, nodes: OwnNodes) -> None:
    images = KataImages(installer="registry.example.com/kata-deploy:4.1.0")
    settings = KataRuntime(kind="kata", shim=shim, chart=KataChart(images=images))
    assert strangers(render_values(settings, nodes)) == []


def test_a_key_that_the_chart_does_not_know_would_be_seen() -> None:
    written = {"k8sDistribution": "kubernetes", "shims": {"qemu": {"enabled": True}}, "job": {"node": []}}
    seen = strangers(written)
    assert len(seen) == 3
    assert [one.partition(":")[0] for one in seen] == ["job", "k8sDistribution", "shims"]


def test_one_hypervisor_and_nothing_beside_it() -> None:
    """B054: the place of k3s' containerd is not everybody's, and the class of ours is not the chart's."""
    values = render_values(KATA, MACHINES)
    assert values["k8sDistribution"] == "k3s"
    assert values["shims"] == {"disableAll": True, "qemu-runtime-rs": {"enabled": True}}
    assert values["snapshotter"] == {"setup": []}
    assert values["runtimeClasses"] == {"enabled": False}
    assert values["node-feature-discovery"] == {"enabled": False}
    assert values["kubectlImage"]["tag"] not in ("", "latest")
    assert "image" not in values, "left to the chart, which takes its own release's"


def test_known_nodes_get_a_job_each_and_nothing_with_rights_runs_beside_computers() -> None:
    """Whoever breaks out of a computer finds no token of the installer on its node: what has one tolerates no taint."""
    values = render_values(KATA, MACHINES)
    assert values["deploymentMode"] == "job"
    assert values["job"] == {
        "nodes": ["m2", "m3"],
        "dispatcherImage": {"reference": "ghcr.io/kata-containers/k8s-job-dispatcher", "tag": "0.1.0"},
    }
    assert "tolerations" not in values


def test_a_machine_more_makes_the_release_look_again() -> None:
    """The jobs run at an install and an upgrade only."""
    more = OwnNodes(distribution="k3s", computers=("m2", "m3", "m4"))
    assert render_values(KATA, MACHINES) != render_values(KATA, more)


def test_where_nodes_come_and_go_a_daemon_set_follows_them_to_the_computers_nodes() -> None:
    values = render_values(KATA, CLOUD)
    assert values["deploymentMode"] == "daemonset"
    assert values["k8sDistribution"] == "k8s"
    assert values["nodeSelector"] == {"rakazo-infra/pool": "computers"}
    taint = {"key": "rakazo-infra/pool", "operator": "Equal", "value": "computers", "effect": "NoSchedule"}
    assert values["tolerations"] == [taint]
    assert "job" not in values


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("registry.example.com:5000/kubectl:v1.36.2", ("registry.example.com:5000/kubectl", "v1.36.2")),
        (f"registry.example.com/kubectl@sha256:{'a' * 64}", (f"registry.example.com/kubectl@sha256:{'a' * 64}", "")),
    ],
)
def test_an_image_of_a_mirror_is_told_as_the_chart_puts_it_together(reference: str, told: tuple[str, str]) -> None:
    settings = KataRuntime(kind="kata", chart=KataChart(images=KataImages(kubectl=reference)))
    found = render_values(settings, MACHINES)["kubectlImage"]
    assert (found["reference"], found["tag"]) == told
